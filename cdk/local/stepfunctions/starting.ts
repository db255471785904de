/** Starting and stopping executions. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { Json } from '../endpoint/json.ts';
import type { ExecutionStore, StoredExecution } from './execution-store.ts';
import { type Executor, RETENTION_MILLIS } from './executor.ts';
import { DATA_BYTES_MAX } from './language/state-error.ts';
import type { Machines } from './machines.ts';

export interface Store {
  readonly machines: Machines;
  readonly executions: ExecutionStore;
  readonly executor: Executor;
  readonly region: string;
  readonly now: () => Date;
}

export interface StartRequest {
  readonly stateMachineArn: string;
  readonly name?: string | undefined;
  readonly input: string;
}

/** Letters, digits and characters without a special meaning in ARNs and URLs. */
// oxlint-disable-next-line no-control-regex
const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]{1,80}$/;

export const invalid = (code: string, message: string) => new CallRefusal(400, code, message);

/** The same name with the same input starts once while the execution runs, and not again for 90 days after its end. */
export function startExecution(store: Store, { stateMachineArn, name = randomUUID(), input: text }: StartRequest) {
  const { machines, executions, executor, region, now } = store;
  const machine = machines.byArn(stateMachineArn);
  if (!machine) throw invalid('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
  if (!NAME.test(name)) throw invalid('InvalidName', `Invalid Name: '${name}'`);
  const input = jsonIn(text, 'InvalidExecutionInput', 'Invalid State Machine Execution Input');
  const arn = machines.executionArn(machine.name, name);
  const existing = executions.byArn(arn)?.execution;
  if (existing && !isForgotten(existing.stoppedAt, now())) {
    if (existing.status === 'RUNNING' && isDeepStrictEqual(existing.identity.input, input))
      return started(arn, existing.identity);
    throw invalid('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
  }
  if (existing) executions.remove(arn);
  const { identity } = executor.begin(
    {
      arn,
      name,
      machineArn: machine.arn,
      machineName: machine.name,
      roleArn: machine.revision.roleArn,
      region,
      input,
      startedAt: now().getTime(),
    },
    machine.revision,
  );
  return started(arn, identity);
}

const started = (executionArn: string, { startedAt }: { readonly startedAt: number }) => ({
  executionArn,
  startDate: startedAt / 1000,
});

const isForgotten = (stoppedAt: number | null, now: Date) =>
  stoppedAt !== null && stoppedAt < now.getTime() - RETENTION_MILLIS;

export interface StopRequest {
  readonly executionArn: string;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
}

/** An execution that has ended stays as it is, and the answer says when it ended. */
export function stopExecution(store: Store, { executionArn, error, cause }: StopRequest) {
  existing(store, executionArn);
  store.executor.happen(executionArn, { kind: 'stop', error, cause });
  return { stopDate: (existing(store, executionArn).execution.stoppedAt ?? 0) / 1000 };
}

export function existing({ executions }: Store, arn: string): StoredExecution {
  const stored = executions.byArn(arn);
  if (stored) return stored;
  if (!/^arn:aws:states:[^:]*:\d*:execution:[^:]+:[^:]+$/.test(arn))
    throw invalid('InvalidArn', `Invalid Arn: '${arn}'`);
  throw invalid('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
}

export function jsonIn(text: string, code: string, what: string): Json {
  if (Buffer.byteLength(text) > DATA_BYTES_MAX)
    throw invalid(code, `${what}: it has more than ${DATA_BYTES_MAX} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(code, `${what}: it is not JSON`);
  }
}

/** An executor on a file, for tests that kill it, and a machine that uses every kind of state. */
import { Activity } from '../../../cdk/local/activity.ts';
import type { JsonObject } from '../../../cdk/local/endpoint/json.ts';
import type { ExecutionStore } from '../../../cdk/local/stepfunctions/execution-store.ts';
import { Executor, type ExecutorOptions } from '../../../cdk/local/stepfunctions/executor.ts';
import { task } from './state-machine.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:durable';
const one = (name: string, state: JsonObject): JsonObject => ({
  StartAt: name,
  States: { [name]: { End: true, ...state } },
});

/** Each item is tripled by a function that fails at odd numbers first; a retry and a catch are on the way. */
const DURABLE: JsonObject = {
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      ItemsPath: '$.items',
      MaxConcurrency: 2,
      ItemProcessor: one(
        'Triple',
        task({
          Parameters: { FunctionName: 'triple', Payload: { 'n.$': '$', 'retry.$': '$$.State.RetryCount' } },
          Retry: [{ ErrorEquals: ['Odd'], IntervalSeconds: 1, MaxAttempts: 3 }],
        }),
      ),
      ResultPath: '$.tripled',
      Next: 'Break',
    },
    Break: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'break' },
      Catch: [{ ErrorEquals: ['States.TaskFailed'], ResultPath: '$.failure', Next: 'Enough' }],
      Next: 'Enough',
    },
    Enough: { Type: 'Choice', Choices: [{ Variable: '$.failure.Error', StringEquals: 'Broken', Next: 'Good' }] },
    Good: { Type: 'Pass', Parameters: { 'tripled.$': '$.tripled' }, Next: 'Done' },
    Done: { Type: 'Succeed' },
  },
};
const DURABLE_INPUT = { items: [1, 2, 3, 4, 5] };
export const DURABLE_OUTPUT = { tripled: [3, 6, 9, 12, 15] };

/** Functions without a memory, so that a repeated call has the same answer. */
export const invokeFunction: ExecutorOptions['invoke'] = async ({ parameters: { FunctionName, Payload } }) => {
  if (FunctionName === 'break') return { kind: 'failed', error: 'Broken', cause: 'on purpose' };
  const { n, retry } = Payload as { n: number; retry: number };
  if (n % 2 === 1 && retry === 0) return { kind: 'failed', error: 'Odd', cause: '' };
  return { kind: 'succeeded', output: n * 3 };
};

export interface Durable {
  readonly store: ExecutionStore;
  readonly executor: Executor;
  readonly activity: Activity;
}

export function durable(store: ExecutionStore, options: Pick<ExecutorOptions, 'invoke' | 'clock' | 'report'>): Durable {
  const activity = new Activity();
  return { store, activity, executor: new Executor({ store, activity, ...options }) };
}

export const executionArn = (name: string) => `arn:aws:states:us-east-1:000000000000:execution:durable:${name}`;

export function beginDurable({ store, executor }: Durable, name: string, now: number): void {
  const revision = store.revision(MACHINE, { definition: JSON.stringify(DURABLE), roleArn: 'role' }, now);
  executor.begin(
    {
      arn: executionArn(name),
      name,
      machineArn: MACHINE,
      machineName: 'durable',
      roleArn: 'role',
      region: 'us-east-1',
      input: DURABLE_INPUT,
      startedAt: now,
    },
    revision,
  );
}

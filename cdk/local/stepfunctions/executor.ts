/** Drives executions: it starts states, invokes the functions of tasks, sets timers, and stores every step. */
import { randomBytes } from 'node:crypto';
import type { Activity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import {
  type Execution,
  type Identity,
  isReady,
  nextDue,
  type TaskActivity,
  tasksToInvoke,
} from './execution/execution.ts';
import type { Surroundings } from './execution/run.ts';
import { type Happening, type Stepped, startOf, step } from './execution/step.ts';
import type { ExecutionStore, Revision, StoredExecution } from './execution-store.ts';
import type { LambdaCall, TaskAnswer } from './lambda-task.ts';
import { parseDefinition, type Sequence } from './language/definition.ts';

export interface ExecutorOptions {
  readonly store: ExecutionStore;
  readonly invoke: (call: LambdaCall) => Promise<TaskAnswer>;
  readonly clock: Clock;
  readonly activity: Activity;
  /** Prints one plain line on the terminal. */
  readonly report: (line: string) => void;
  /** Receives each execution that has failed. */
  readonly onFailure?: (execution: Execution) => void;
}

/** A running execution in memory, as it was last stored. */
interface Active {
  readonly definition: Sequence;
  execution: Execution;
  /** Cancels its next timer. */
  cancelTimer: () => void;
}

const SWEEP_MILLIS = 60_000;
/** The number of steps of one execution before other work gets a turn. */
const STEPS_AT_ONCE = 50;
/** The time for which executions are stored after their end; their names stay taken for as long. */
export const RETENTION_MILLIS = 90 * 24 * 3600 * 1000;

export class Executor {
  private readonly options: ExecutorOptions;
  private readonly active = new Map<string, Active>();
  private readonly queued = new Set<string>();
  private readonly invoking = new Map<string, Promise<void>>();
  private state: 'waiting' | 'running' | 'stopped' = 'waiting';
  private cancelSweep = () => {};

  constructor(options: ExecutorOptions) {
    this.options = options;
  }

  /**
   * Resumes the executions of an earlier run.
   * @param isKnown whether the machine still exists; without it, executions are not continued
   */
  start(isKnown: (machineArn: string) => boolean): void {
    this.state = 'running';
    for (const { execution, revision } of this.options.store.running()) {
      const { arn, machineArn } = execution.identity;
      if (!this.active.has(arn) && isKnown(machineArn)) {
        this.activate(parseDefinition(revision.definition), execution);
      }
    }
    for (const arn of this.active.keys()) this.enqueue(arn);
    this.sweep();
  }

  /** Starts no more states and waits for the running functions, whose results are stored. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    this.cancelSweep();
    for (const { cancelTimer } of this.active.values()) cancelTimer();
    await Promise.all(this.invoking.values());
  }

  begin(identity: Identity, revision: Revision): Execution {
    const definition = parseDefinition(revision.definition);
    const started = startOf(definition, identity, this.around());
    this.options.store.add(started, revision);
    this.activate(definition, started.execution);
    this.enqueue(identity.arn);
    return started.execution;
  }

  /** Returns whether it changed anything; it does not when the execution or the task is over. */
  happen(arn: string, happening: Happening): boolean {
    const active = this.active.get(arn) ?? this.resting(this.options.store.byArn(arn));
    if (!active) return false;
    const stepped: Stepped | null = step(active.definition, active.execution, { happening, around: this.around() });
    if (!stepped) return false;
    this.options.store.save(stepped);
    active.execution = stepped.execution;
    if (stepped.execution.status === 'RUNNING') this.wait(active);
    else this.drop(arn);
    if (stepped.execution.status === 'FAILED') this.options.onFailure?.(stepped.execution);
    this.enqueue(arn);
    return true;
  }

  private activate(definition: Sequence, execution: Execution) {
    const active = { definition, execution, cancelTimer: () => {} };
    this.active.set(execution.identity.arn, active);
    this.wait(active);
  }

  private drop(arn: string) {
    this.active.get(arn)?.cancelTimer();
    this.active.delete(arn);
  }

  /** Waits for the next timer of an execution. */
  private wait(active: Active) {
    const { arn } = active.execution.identity;
    active.cancelTimer();
    const due = nextDue(active.execution);
    if (due === null || this.state === 'stopped') return;
    active.cancelTimer = this.options.clock.at(due, () => this.guarded(arn, () => this.doAllDue(arn)));
  }

  private doAllDue(arn: string) {
    if (this.state !== 'running') return;
    while (this.happen(arn, { kind: 'due' }));
  }

  private sweep() {
    this.options.store.removeStoppedBefore(this.options.clock.millis() - RETENTION_MILLIS);
    this.cancelSweep = this.options.clock.after(SWEEP_MILLIS, () => this.sweep());
  }

  /** An execution that no machine of the template drives can still be stopped or answered. */
  private resting(stored: StoredExecution | undefined): Active | undefined {
    return (
      stored && {
        definition: parseDefinition(stored.revision.definition),
        execution: stored.execution,
        cancelTimer: () => {},
      }
    );
  }

  private enqueue(arn: string) {
    if (this.state !== 'running' || this.queued.has(arn) || !this.active.has(arn)) return;
    this.queued.add(arn);
    this.options.activity.begin('execution');
    setImmediate(() => {
      this.queued.delete(arn);
      if (this.state === 'running') this.guarded(arn, () => this.advance(arn));
      this.options.activity.end('execution');
    });
  }

  private advance(arn: string) {
    for (let steps = 0; steps < STEPS_AT_ONCE; steps++) {
      const execution = this.active.get(arn)?.execution;
      if (!execution?.frames.some(isReady)) break;
      this.happen(arn, { kind: 'advance' });
    }
    const active = this.active.get(arn);
    if (!active) return;
    for (const task of tasksToInvoke(active.execution)) this.invoke(active.execution, task);
  }

  private invoke({ identity: { arn, roleArn } }: Execution, task: TaskActivity) {
    const { token, parameters } = task;
    if (this.invoking.has(token)) return;
    const call = this.options.activity.during('task of an execution', () =>
      this.options.invoke({ parameters, roleArn }).then(
        (answer) => this.answered(arn, task, answer),
        (error: unknown) => this.options.report(`The task of ${arn} cannot be run: ${String(error)}`),
      ),
    );
    this.invoking.set(
      token,
      call.finally(() => this.invoking.delete(token)),
    );
  }

  private answered(arn: string, { token, waitsForToken }: TaskActivity, answer: TaskAnswer) {
    // A function that was cut off because the cloud stops is invoked again at the next start.
    if (answer.kind === 'failed' && this.state === 'stopped') return;
    const kind = answer.kind === 'succeeded' && waitsForToken ? 'submitted' : answer.kind;
    this.guarded(arn, () => this.happen(arn, { ...answer, kind, token } as Happening));
  }

  /** A fault of the interpreter concerns its execution alone. */
  private guarded(arn: string, work: () => void) {
    try {
      work();
    } catch (error) {
      this.drop(arn);
      this.options.report(`The local cloud failed at ${arn}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  private around(): Surroundings {
    return {
      now: this.options.clock.millis(),
      random: Math.random,
      // Never begins with a dash, which the AWS CLI would take for an option.
      newToken: () => `AQ${randomBytes(63).toString('base64url')}`,
    };
  }
}

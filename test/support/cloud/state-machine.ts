/** Runs executions with the interpreter alone: the test answers tasks, and the clock jumps to what is due next. */
import type { Json, JsonObject } from '../../../cdk/local/endpoint/json.ts';
import {
  type Execution,
  type HistoryEvent,
  isReady,
  nextDue,
  tasksToInvoke,
} from '../../../cdk/local/stepfunctions/execution/execution.ts';
import type { Surroundings } from '../../../cdk/local/stepfunctions/execution/run.ts';
import { type Happening, type Stepped, startOf, step } from '../../../cdk/local/stepfunctions/execution/step.ts';
import { parseDefinition, type Sequence } from '../../../cdk/local/stepfunctions/language/definition.ts';

const START = Date.UTC(2026, 0, 1);

/** What a function answers; nothing leaves a task with a token waiting. */
type Answer =
  | { readonly output: Json }
  | { readonly error: string; readonly cause?: string }
  | { readonly submitted: true };

export type Invoked = (parameters: JsonObject, token: string) => Answer;

export interface MachineOptions {
  readonly input?: Json;
  readonly invoke?: Invoked;
  /** Sees every execution between two steps, and may replace it. */
  readonly between?: (execution: Execution) => Execution;
}

export interface Ran {
  readonly execution: Execution;
  readonly events: readonly HistoryEvent[];
  /** Milliseconds that passed by its clock. */
  readonly tookMillis: number;
}

export class TestRun {
  readonly definition: Sequence;
  readonly events: HistoryEvent[] = [];
  execution: Execution;
  now = START;
  private ids = 0;
  private readonly options: MachineOptions;

  constructor(definition: JsonObject, options: MachineOptions) {
    this.definition = parseDefinition(JSON.stringify(definition));
    this.options = options;
    const { input = {} } = options;
    const identity = {
      arn: 'arn:aws:states:us-east-1:000000000000:execution:machine:run',
      name: 'run',
      machineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:machine',
      machineName: 'machine',
      roleArn: 'arn:aws:iam::000000000000:role/machine',
      region: 'us-east-1',
      input,
      startedAt: START,
    };
    const started = startOf(this.definition, identity, this.around());
    this.events.push(...started.events);
    this.execution = started.execution;
  }

  happen(happening: Happening): boolean {
    const stepped: Stepped | null = step(this.definition, this.execution, { happening, around: this.around() });
    if (!stepped) return false;
    this.events.push(...stepped.events);
    this.execution = this.options.between?.(stepped.execution) ?? stepped.execution;
    return true;
  }

  /** Until it ends, or until nothing but an answer by token can move it. */
  finish(): Ran {
    for (;;) {
      if (this.execution.frames.some(isReady)) this.happen({ kind: 'advance' });
      else if (!this.invokeNext() && !this.jump()) break;
    }
    return { execution: this.execution, events: this.events, tookMillis: this.now - START };
  }

  private invokeNext(): boolean {
    const [task] = tasksToInvoke(this.execution);
    if (!task) return false;
    const { token } = task;
    const answer = this.options.invoke?.(task.parameters, token) ?? { output: null };
    if ('error' in answer) return this.happen({ kind: 'failed', token, cause: '', ...answer });
    if ('submitted' in answer) return this.happen({ kind: 'submitted', token, output: null });
    return this.happen({ kind: 'succeeded', token, output: answer.output });
  }

  private jump(): boolean {
    const due = nextDue(this.execution);
    if (due === null) return false;
    this.now = Math.max(this.now, due);
    return this.happen({ kind: 'due' });
  }

  private around(): Surroundings {
    const id = () => `id-${++this.ids}`;
    return { now: this.now, newToken: id, random: () => 0.5 };
  }
}

export function ran(definition: JsonObject, options: MachineOptions = {}): Ran {
  return new TestRun(definition, options).finish();
}

/** A machine of one state, which ends it. */
export function only(state: JsonObject): JsonObject {
  return { StartAt: 'Only', States: { Only: state['Type'] === 'Succeed' ? state : { End: true, ...state } } };
}

/** A task that invokes the function `work` with its input. */
export function task(more: JsonObject = {}): JsonObject {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: 'work', 'Payload.$': '$' },
    ...more,
  };
}

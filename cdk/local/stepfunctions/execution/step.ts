/** The interpreter: one step of an execution at a time, a pure function of the execution and of what has happened. */
import type { Json } from '../../endpoint/json.ts';
import type { Sequence } from '../language/definition.ts';
import { requireSize, StateError } from '../language/state-error.ts';
import type { TaskState } from '../language/states.ts';
import { beginState, resourceOf } from './begin.ts';
import { dueOf, type Execution, type Frame, type HistoryEvent, type Identity, isReady, nextDue } from './execution.ts';
import { EVENTS_MAX, HistoryFull, Run, type Surroundings } from './run.ts';
import { endExecution, fail, failWith, succeed } from './settle.ts';

export type Happening =
  /** A state that is ready begins. */
  | { readonly kind: 'advance' }
  /** The clock has reached the next timer. */
  | { readonly kind: 'due' }
  /** The function of a task with a token has returned; its result is ignored. */
  | { readonly kind: 'submitted'; readonly token: string; readonly output: Json }
  | { readonly kind: 'succeeded'; readonly token: string; readonly output: Json }
  | { readonly kind: 'failed'; readonly token: string; readonly error: string; readonly cause: string }
  | { readonly kind: 'stop'; readonly error?: string | undefined; readonly cause?: string | undefined };

export interface Stepped {
  readonly execution: Execution;
  readonly events: readonly HistoryEvent[];
}

export function startOf(definition: Sequence, identity: Identity, around: Surroundings): Stepped {
  const execution: Execution = {
    identity,
    status: 'RUNNING',
    frames: [],
    lastFrame: 0,
    lastEvent: 0,
    stoppedAt: null,
    output: undefined,
    error: undefined,
    cause: undefined,
  };
  const run = new Run(definition, execution, around);
  const executionStartedEventDetails = {
    input: JSON.stringify(identity.input),
    inputDetails: { truncated: false },
    roleArn: identity.roleArn,
  };
  run.record(null, 'ExecutionStarted', { executionStartedEventDetails });
  run.add({
    parent: null,
    index: 0,
    location: [],
    item: null,
    state: definition.startAt,
    input: identity.input,
    enteredAt: around.now,
    attempts: [],
    retryCount: 0,
    lastEvent: execution.lastEvent,
    activity: { kind: 'enter' },
  });
  return { execution, events: run.events };
}

/**
 * Returns the execution after this event; null if the event changes nothing, such as an answer to a task that has
 * ended.
 */
export function step(
  definition: Sequence,
  before: Execution,
  { happening, around }: { readonly happening: Happening; readonly around: Surroundings },
): Stepped | null {
  if (before.status !== 'RUNNING') return null;
  const execution = structuredClone(before);
  const run = new Run(definition, execution, around);
  try {
    if (!applyHappening(run, happening)) return null;
  } catch (error) {
    if (!(error instanceof HistoryFull)) throw error;
    endFull(run);
  }
  return { execution, events: run.events };
}

function applyHappening(run: Run, happening: Happening): boolean {
  const { execution, around } = run;
  switch (happening.kind) {
    case 'advance': {
      const frame = execution.frames.find(isReady);
      if (frame) beginState(run, frame);
      return frame !== undefined;
    }
    case 'due':
      return fireTimer(run);
    case 'stop': {
      const { error, cause } = happening;
      run.record(null, 'ExecutionAborted', { executionAbortedEventDetails: { error, cause } });
      endExecution(execution, { status: 'ABORTED', at: around.now, error, cause });
      return true;
    }
    default: {
      const frame = execution.frames.find(
        ({ activity }) => activity.kind === 'task' && activity.token === happening.token,
      );
      if (frame) answered(run, frame, happening);
      return frame !== undefined;
    }
  }
}

type Answer = Exclude<Happening, { kind: 'advance' | 'due' | 'stop' }>;

function answered(run: Run, frame: Frame, answer: Answer): void {
  const { activity } = frame;
  if (activity.kind !== 'task') return;
  const resource = resourceOf(run.stateOf(frame) as TaskState);
  switch (answer.kind) {
    case 'submitted':
      activity.submitted = true;
      return run.record(frame, 'TaskSubmitted', { taskSubmittedEventDetails: { ...resource, ...outputOf(answer) } });
    case 'succeeded':
      try {
        requireSize(answer.output, frame.state);
      } catch (error) {
        return failWith(run, frame, error);
      }
      run.record(frame, 'TaskSucceeded', { taskSucceededEventDetails: { ...resource, ...outputOf(answer) } });
      return succeed(run, frame, answer.output);
    case 'failed': {
      const { error, cause } = answer;
      run.record(frame, 'TaskFailed', { taskFailedEventDetails: { ...resource, error, cause } });
      return fail(run, frame, new StateError(error, cause));
    }
  }
}

const outputOf = ({ output }: { readonly output: Json }) => ({
  output: JSON.stringify(output),
  outputDetails: { truncated: false },
});

/** Fires the earliest timer, if its time has come. */
function fireTimer(run: Run): boolean {
  const { execution, around } = run;
  const at = nextDue(execution);
  if (at === null || at > around.now) return false;
  const frame = execution.frames.find(({ activity }) => dueOf(activity) === at);
  if (!frame) return false;
  const { activity } = frame;
  if (activity.kind === 'retry') frame.activity = { kind: 'begin' };
  if (activity.kind === 'task') {
    const error = 'States.Timeout';
    const resource = resourceOf(run.stateOf(frame) as TaskState);
    run.record(frame, 'TaskTimedOut', { taskTimedOutEventDetails: { ...resource, error } });
    fail(run, frame, new StateError(error, ''));
  }
  return true;
}

function endFull({ execution, events, around }: Run): void {
  const cause = `The execution reached the maximum number of history events (${EVENTS_MAX}).`;
  const id = ++execution.lastEvent;
  const executionFailedEventDetails = { error: 'States.Runtime', cause };
  events.push({
    id,
    previousEventId: id - 1,
    type: 'ExecutionFailed',
    at: around.now,
    details: { executionFailedEventDetails },
  });
  endExecution(execution, { status: 'FAILED', at: around.now, error: 'States.Runtime', cause });
}

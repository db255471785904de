/** Settles a state that has a result or an error: enters the next state, a retry or a catcher, or ends. */
import type { Json } from '../../endpoint/json.ts';
import type { State } from '../language/definition.ts';
import type { Retrier } from '../language/fields.ts';
import { covers, requireSize, StateError } from '../language/state-error.ts';
import type { Execution, Frame, IterationsActivity } from './execution.ts';
import { startIterations } from './iterations.ts';
import { orRuntimeError, type Run } from './run.ts';

/** The state has its result. */
export function succeed(run: Run, frame: Frame, result: Json): void {
  let output: Json;
  const state = run.stateOf(frame);
  try {
    output = outputOf(run, frame, { state, result });
  } catch (error) {
    return failWith(run, frame, error);
  }
  leaveState(run, frame, { output, next: 'Next' in state ? state.Next : undefined });
}

/** Continues with the next state, or ends the sequence if there is none. */
export function leaveState(run: Run, frame: Frame, { output, next }: { output: Json; next: string | undefined }): void {
  const { Type } = run.stateOf(frame);
  const details = { name: frame.state, output: JSON.stringify(output), outputDetails: { truncated: false } };
  run.record(frame, `${Type}StateExited`, { stateExitedEventDetails: details });
  if (next === undefined) return finish(run, frame, output);
  Object.assign(frame, { state: next, input: output, attempts: [], retryCount: 0, activity: { kind: 'enter' } });
}

function outputOf(run: Run, frame: Frame, { state, result }: { state: State; result: Json }): Json {
  const selected =
    'ResultSelector' in state && state.ResultSelector
      ? orRuntimeError(frame, () => state.ResultSelector?.(run.scope(frame, result)) ?? null)
      : result;
  const output = 'ResultPath' in state ? withResult(frame, state.ResultPath, selected) : selected;
  requireSize(output, frame.state);
  return output;
}

function withResult(frame: Frame, place: ((document: Json, value: Json) => Json) | null, value: Json): Json {
  if (!place) return frame.input;
  try {
    return place(frame.input, value);
  } catch (error) {
    throw new StateError('States.ResultPathMatchFailure', error instanceof Error ? error.message : String(error));
  }
}

function finish(run: Run, frame: Frame, output: Json): void {
  const parent = run.frame(frame.parent);
  if (parent) return iterationFinished(run, parent, { iteration: frame, output });
  const event = { output: JSON.stringify(output), outputDetails: { truncated: false } };
  run.record(frame, 'ExecutionSucceeded', { executionSucceededEventDetails: event });
  endExecution(run.execution, { status: 'SUCCEEDED', at: run.around.now, output });
}

function iterationFinished(run: Run, parent: Frame, { iteration, output }: { iteration: Frame; output: Json }): void {
  const activity = parent.activity as IterationsActivity;
  const { index } = iteration;
  run.record(iteration, 'MapIterationSucceeded', {
    mapIterationSucceededEventDetails: { name: parent.state, index },
  });
  parent.lastEvent = iteration.lastEvent;
  run.remove(iteration);
  activity.results[index] = output;
  activity.finished += 1;
  if (activity.finished === activity.items.length) return completed(run, parent, activity.results);
  try {
    startIterations(run, parent, activity);
  } catch (error) {
    failWith(run, parent, error);
  }
}

function completed(run: Run, parent: Frame, results: readonly Json[]): void {
  try {
    requireSize(results, parent.state);
  } catch (error) {
    return failWith(run, parent, error);
  }
  run.record(parent, 'MapStateSucceeded');
  // The iterations are over: an error from here on is the state's own.
  parent.activity = { kind: 'begin' };
  succeed(run, parent, results);
}

/** The state fails with the thrown error; anything but a StateError is a fault of the interpreter. */
export function failWith(run: Run, frame: Frame, error: unknown): void {
  if (!(error instanceof StateError)) throw error;
  fail(run, frame, error);
}

/** Handles an error of a state: it is retried, goes to a catcher, or fails its sequence. */
export function fail(run: Run, frame: Frame, error: StateError): void {
  const state = run.stateOf(frame);
  if (frame.activity.kind === 'iterations') endIterations(run, frame);
  if ('Retry' in state && retried(run, frame, { retriers: state.Retry, error })) return;
  const catcher =
    'Catch' in state ? state.Catch.find(({ ErrorEquals }) => covers(ErrorEquals, error.error)) : undefined;
  if (!catcher) return failSequence(run, frame, error);
  let output: Json;
  try {
    output = withResult(frame, catcher.ResultPath, { Error: error.error, Cause: error.reason });
    requireSize(output, frame.state);
  } catch (another) {
    if (!(another instanceof StateError)) throw another;
    return failSequence(run, frame, another);
  }
  leaveState(run, frame, { output, next: catcher.Next });
}

function retried(
  { around }: Run,
  frame: Frame,
  { retriers, error }: { retriers: readonly Retrier[]; error: StateError },
): boolean {
  const index = retriers.findIndex(({ ErrorEquals }) => covers(ErrorEquals, error.error));
  const retrier = retriers[index];
  const attempts = frame.attempts[index] ?? 0;
  if (!retrier || attempts >= retrier.MaxAttempts) return false;
  const grown = retrier.IntervalSeconds * retrier.BackoffRate ** attempts;
  const seconds = Math.min(grown, retrier.MaxDelaySeconds ?? Infinity);
  const waited = retrier.JitterStrategy === 'FULL' ? seconds * around.random() : seconds;
  frame.attempts = retriers.map((_, at) => (frame.attempts[at] ?? 0) + (at === index ? 1 : 0));
  frame.retryCount += 1;
  frame.activity = { kind: 'retry', at: around.now + Math.round(waited * 1000) };
  return true;
}

function endIterations(run: Run, frame: Frame): void {
  for (const iteration of run.childrenOf(frame)) {
    const mapIterationAbortedEventDetails = { name: frame.state, index: iteration.index };
    run.record(iteration, 'MapIterationAborted', { mapIterationAbortedEventDetails });
    frame.lastEvent = iteration.lastEvent;
    run.remove(iteration);
  }
  run.record(frame, 'MapStateFailed');
}

/** No state of the sequence catches the error, so the state around the sequence fails with it. */
function failSequence(run: Run, frame: Frame, error: StateError): void {
  const parent = run.frame(frame.parent);
  if (!parent) {
    const executionFailedEventDetails = { error: error.error, cause: error.reason };
    run.record(null, 'ExecutionFailed', { executionFailedEventDetails });
    return endExecution(run.execution, {
      status: 'FAILED',
      at: run.around.now,
      error: error.error,
      cause: error.reason,
    });
  }
  const mapIterationFailedEventDetails = { name: parent.state, index: frame.index };
  run.record(frame, 'MapIterationFailed', { mapIterationFailedEventDetails });
  parent.lastEvent = frame.lastEvent;
  run.remove(frame);
  fail(run, parent, error);
}

interface End {
  readonly status: Execution['status'];
  readonly at: number;
  readonly output?: Json;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
}

export function endExecution(execution: Execution, { status, at, output, error, cause }: End): void {
  Object.assign(execution, { status, stoppedAt: at, output, error, cause, frames: [] });
}

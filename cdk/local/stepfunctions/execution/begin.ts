/** What each type of state does when it begins. */
import { isObject, type Json } from '../../endpoint/json.ts';
import type { Reader } from '../language/scope.ts';
import { requireSize, StateError } from '../language/state-error.ts';
import type { ChoiceState, FailState, MapState, PassState, TaskState } from '../language/states.ts';
import type { Frame } from './execution.ts';
import { iterationsOf, startIterations } from './iterations.ts';
import { orRuntimeError, type Run } from './run.ts';
import { fail, failWith, leave, succeed } from './settle.ts';

/** Enters the state of a sequence, or begins its work again for a retry. */
export function begin(run: Run, frame: Frame): void {
  const state = run.stateOf(frame);
  if (frame.activity.kind === 'enter') {
    frame.enteredAt = run.around.now;
    const input = JSON.stringify(frame.input);
    const stateEnteredEventDetails = { name: frame.state, input, inputDetails: { truncated: false } };
    run.record(frame, `${state.Type}StateEntered`, { stateEnteredEventDetails });
  }
  try {
    work(run, frame);
  } catch (error) {
    failWith(run, frame, error);
  }
}

function work(run: Run, frame: Frame): void {
  const state = run.stateOf(frame);
  switch (state.Type) {
    case 'Pass':
      return succeed(run, frame, passed(run, frame, state));
    case 'Succeed':
      return succeed(run, frame, run.effectiveInput(frame, state));
    case 'Fail':
      return fail(run, frame, failureOf(run, frame, state));
    case 'Choice':
      return choose(run, frame, state);
    case 'Task':
      return schedule(run, frame, state);
    case 'Map':
      return iterate(run, frame, state);
  }
}

function iterate(run: Run, frame: Frame, state: MapState): void {
  const activity = iterationsOf(run, frame, state);
  frame.activity = activity;
  if (activity.items.length > 0) return startIterations(run, frame, activity);
  run.record(frame, 'MapStateSucceeded');
  succeed(run, frame, []);
}

function passed(run: Run, frame: Frame, { InputPath, Parameters, Result }: PassState): Json {
  const input = run.effectiveInput(frame, { InputPath });
  if (Result !== undefined) return Result;
  return Parameters ? orRuntimeError(frame, () => Parameters(run.scope(frame, input))) : input;
}

function failureOf(run: Run, frame: Frame, { Error, ErrorPath, Cause, CausePath }: FailState): StateError {
  const scope = run.scope(frame, frame.input);
  const textBy = (read: Reader | undefined) => {
    const value = read && orRuntimeError(frame, () => read(scope));
    if (value === undefined || typeof value === 'string') return value;
    throw new StateError('States.Runtime', `ErrorPath or CausePath of '${frame.state}' names no string.`);
  };
  return new StateError(Error ?? textBy(ErrorPath) ?? '', Cause ?? textBy(CausePath) ?? '');
}

function choose(run: Run, frame: Frame, state: ChoiceState): void {
  const input = run.effectiveInput(frame, state);
  const scope = run.scope(frame, input);
  const next = state.Choices.find(({ holds }) => orRuntimeError(frame, () => holds(scope)))?.next ?? state.Default;
  if (next === undefined) {
    const cause = `An error occurred while executing the state '${frame.state}': no choice matched and there is no Default.`;
    throw new StateError('States.NoChoiceMatched', cause);
  }
  const output = orRuntimeError(frame, () => state.OutputPath(run.scope(frame, input)));
  requireSize(output, frame.state);
  leave(run, frame, { output, next });
}

function secondsBy(run: Run, frame: Frame, read: Reader | undefined): number | undefined {
  if (!read) return undefined;
  const scope = run.scope(frame, run.effectiveInput(frame, run.stateOf(frame)));
  const seconds = orRuntimeError(frame, () => read(scope));
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1) return seconds;
  throw new StateError(
    'States.Runtime',
    `A path of '${frame.state}' names no number of seconds: ${JSON.stringify(seconds)}.`,
  );
}

function schedule(run: Run, frame: Frame, state: TaskState): void {
  const { now, newToken } = run.around;
  const token = newToken();
  const waitsForToken = state.Resource.endsWith('.waitForTaskToken');
  const input = run.effectiveInput(frame, state);
  const scope = run.scope(frame, input, waitsForToken ? { Task: { Token: token } } : {});
  const parameters = orRuntimeError(frame, () => state.Parameters.read(scope));
  if (!isObject(parameters)) throw new Error('Parameters are an object.');
  requireSize(parameters, frame.state);
  const timeout = state.TimeoutSeconds ?? secondsBy(run, frame, state.TimeoutSecondsPath);
  const heartbeat = state.HeartbeatSeconds ?? secondsBy(run, frame, state.HeartbeatSecondsPath);
  const resource = resourceOf(state);
  const taskScheduledEventDetails = {
    ...resource,
    region: run.execution.identity.region,
    parameters: JSON.stringify(parameters),
    timeoutInSeconds: timeout,
    heartbeatInSeconds: heartbeat,
  };
  run.record(frame, 'TaskScheduled', { taskScheduledEventDetails });
  run.record(frame, 'TaskStarted', { taskStartedEventDetails: resource });
  frame.activity = {
    kind: 'task',
    token,
    waitsForToken,
    parameters,
    submitted: false,
    timeoutAt: timeout === undefined ? null : now + timeout * 1000,
    heartbeatMillis: heartbeat === undefined ? null : heartbeat * 1000,
    heartbeatAt: heartbeat === undefined ? null : now + heartbeat * 1000,
  };
}

/** As events of a task name its integration. */
export function resourceOf({ Resource }: Pick<TaskState, 'Resource'>) {
  const [resource = '', resourceType = ''] = Resource.split(':').toReversed();
  return { resourceType, resource };
}

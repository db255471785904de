/** Begins a state: does the work of its type. */
import { isObject, type Json } from '../../endpoint/json.ts';
import { requireSize, StateError } from '../language/state-error.ts';
import type { ChoiceState, MapState, PassState, TaskState } from '../language/states.ts';
import type { Frame } from './execution.ts';
import { iterationsOf, startIterations } from './iterations.ts';
import { orRuntimeError, type Run } from './run.ts';
import { failWith, leaveState, succeed } from './settle.ts';

/** Enters the state of a sequence, or begins its work again for a retry. */
export function beginState(run: Run, frame: Frame): void {
  const state = run.stateOf(frame);
  if (frame.activity.kind === 'enter') {
    frame.enteredAt = run.around.now;
    const input = JSON.stringify(frame.input);
    const stateEnteredEventDetails = { name: frame.state, input, inputDetails: { truncated: false } };
    run.record(frame, `${state.Type}StateEntered`, { stateEnteredEventDetails });
  }
  try {
    startWork(run, frame);
  } catch (error) {
    failWith(run, frame, error);
  }
}

function startWork(run: Run, frame: Frame): void {
  const state = run.stateOf(frame);
  switch (state.Type) {
    case 'Pass':
      return succeed(run, frame, passed(run, frame, state));
    case 'Succeed':
      return succeed(run, frame, frame.input);
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

function passed(run: Run, frame: Frame, { Parameters }: PassState): Json {
  return Parameters ? orRuntimeError(frame, () => Parameters(run.scope(frame, frame.input))) : frame.input;
}

function choose(run: Run, frame: Frame, state: ChoiceState): void {
  const { input } = frame;
  const scope = run.scope(frame, input);
  const next = state.Choices.find(({ holds }) => orRuntimeError(frame, () => holds(scope)))?.next ?? state.Default;
  if (next === undefined) {
    const cause = `An error occurred while executing the state '${frame.state}': no choice matched and there is no Default.`;
    throw new StateError('States.NoChoiceMatched', cause);
  }
  leaveState(run, frame, { output: input, next });
}

function schedule(run: Run, frame: Frame, state: TaskState): void {
  const { now, newToken } = run.around;
  const token = newToken();
  const waitsForToken = state.Resource.endsWith('.waitForTaskToken');
  const scope = run.scope(frame, frame.input, waitsForToken ? { Task: { Token: token } } : {});
  const parameters = orRuntimeError(frame, () => state.Parameters.read(scope));
  if (!isObject(parameters)) throw new Error('Parameters are an object.');
  requireSize(parameters, frame.state);
  const { TimeoutSeconds: timeout } = state;
  const resource = resourceOf(state);
  const taskScheduledEventDetails = {
    ...resource,
    region: run.execution.identity.region,
    parameters: JSON.stringify(parameters),
    timeoutInSeconds: timeout,
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
  };
}

/** Returns the integration of a task as its events name it. */
export function resourceOf({ Resource }: Pick<TaskState, 'Resource'>) {
  const [resource = '', resourceType = ''] = Resource.split(':').toReversed();
  return { resourceType, resource };
}

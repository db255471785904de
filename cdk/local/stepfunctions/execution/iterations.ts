/** The iterations of a Map. */
import type { Json } from '../../endpoint/json.ts';
import { requireSize, StateError } from '../language/state-error.ts';
import type { MapState } from '../language/states.ts';
import type { Frame, IterationsActivity } from './execution.ts';
import { orRuntimeError, type Run } from './run.ts';

/** An inline map runs at most this many iterations at a time, even without a limit of its own. */
const CONCURRENCY_MAX = 40;

export function iterationsOf(run: Run, frame: Frame, state: MapState): IterationsActivity {
  const { ItemsPath, MaxConcurrency } = state;
  const items = ItemsPath ? orRuntimeError(frame, () => ItemsPath(run.scope(frame, frame.input))) : frame.input;
  if (!Array.isArray(items)) {
    throw new StateError('States.Runtime', `The items of the Map state '${frame.state}' are not an array.`);
  }
  run.record(frame, 'MapStateStarted', { mapStateStartedEventDetails: { length: items.length } });
  const concurrency = Math.min(MaxConcurrency || CONCURRENCY_MAX, CONCURRENCY_MAX);
  return { kind: 'iterations', items, concurrency, next: 0, finished: 0, results: [] };
}

/** Starts as many iterations as may run at the same time. */
export function startIterations(run: Run, frame: Frame, activity: IterationsActivity): void {
  while (activity.next < activity.items.length && activity.next - activity.finished < activity.concurrency) {
    const index = activity.next++;
    startIteration(run, frame, { index, value: activity.items[index] ?? null });
  }
}

function startIteration(run: Run, frame: Frame, item: NonNullable<Frame['item']>): void {
  const state = run.stateOf(frame);
  if (state.Type !== 'Map') throw new Error(`${frame.state} has no iterations.`);
  const input = itemInput(run, frame, { state, item });
  requireSize(input, frame.state);
  const iteration = run.add({
    parent: frame.id,
    index: item.index,
    location: [...frame.location, frame.state],
    item,
    state: state.processor.startAt,
    input,
    enteredAt: run.around.now,
    attempts: [],
    retryCount: 0,
    lastEvent: frame.lastEvent,
    activity: { kind: 'enter' },
  });
  const mapIterationStartedEventDetails = { name: frame.state, index: item.index };
  run.record(iteration, 'MapIterationStarted', { mapIterationStartedEventDetails });
}

interface Selection {
  readonly state: MapState;
  readonly item: NonNullable<Frame['item']>;
}

function itemInput(run: Run, frame: Frame, { state, item: { index, value } }: Selection): Json {
  const { ItemSelector: select } = state;
  if (!select) return value;
  const scope = run.scope(frame, frame.input, { Map: { Item: { Index: index, Value: value } } });
  return orRuntimeError(frame, () => select(scope));
}

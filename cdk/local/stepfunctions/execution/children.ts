/** Branches of a Parallel state and iterations of a Map. */
import type { Json } from '../../endpoint/json.ts';
import { requireSize, StateError } from '../language/state-error.ts';
import type { MapState, ParallelState } from '../language/states.ts';
import type { ChildrenActivity, Frame } from './execution.ts';
import { orRuntimeError, type Run } from './run.ts';

/** Inline maps run at most so many iterations at a time, also without a limit of their own. */
const CONCURRENCY_MAX = 40;

export function branchesOf(run: Run, frame: Frame, state: ParallelState): ChildrenActivity {
  const effective = run.effectiveInput(frame, state);
  const scope = run.scope(frame, effective);
  const input = orRuntimeError(frame, () => state.Parameters?.(scope) ?? effective);
  run.record(frame, 'ParallelStateStarted');
  return activityOf({ items: null, input, total: state.Branches.length, concurrency: state.Branches.length });
}

export function iterationsOf(run: Run, frame: Frame, state: MapState): ChildrenActivity {
  const input = run.effectiveInput(frame, state);
  const scope = run.scope(frame, input);
  const items = state.ItemsPath ? orRuntimeError(frame, () => state.ItemsPath?.(scope) ?? null) : input;
  if (!Array.isArray(items)) {
    throw new StateError('States.Runtime', `The items of the Map state '${frame.state}' are not an array.`);
  }
  const limit = state.MaxConcurrencyPath
    ? orRuntimeError(frame, () => state.MaxConcurrencyPath?.(scope) ?? null)
    : (state.MaxConcurrency ?? 0);
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0) {
    throw new StateError('States.Runtime', `MaxConcurrencyPath of '${frame.state}' names no integer of 0 or more.`);
  }
  run.record(frame, 'MapStateStarted', { mapStateStartedEventDetails: { length: items.length } });
  return activityOf({
    items,
    input: null,
    total: items.length,
    concurrency: Math.min(limit || CONCURRENCY_MAX, CONCURRENCY_MAX),
  });
}

function activityOf(given: Pick<ChildrenActivity, 'items' | 'input' | 'total' | 'concurrency'>): ChildrenActivity {
  return { kind: 'children', ...given, next: 0, finished: 0, results: [] };
}

/** Starts as many children as may run at the same time. */
export function startChildren(run: Run, frame: Frame, activity: ChildrenActivity): void {
  while (activity.next < activity.total && activity.next - activity.finished < activity.concurrency) {
    const index = activity.next++;
    startChild(run, frame, { activity, index });
  }
}

function startChild(run: Run, frame: Frame, { activity, index }: { activity: ChildrenActivity; index: number }): void {
  const state = run.stateOf(frame);
  if (state.Type !== 'Map' && state.Type !== 'Parallel') throw new Error(`${frame.state} has no children.`);
  const sequence = state.sequences[state.Type === 'Map' ? 0 : index];
  if (!sequence) throw new Error(`${frame.state} has no branch ${index}.`);
  const item = activity.items === null ? null : { index, value: activity.items[index] ?? null };
  const input = item ? itemInput(run, frame, item) : activity.input;
  requireSize(input, frame.state);
  const child = run.add({
    parent: frame.id,
    index,
    location: [...frame.location, { state: frame.state, branch: item ? 0 : index }],
    item,
    state: sequence.startAt,
    input,
    enteredAt: run.around.now,
    attempts: [],
    retryCount: 0,
    lastEvent: frame.lastEvent,
    activity: { kind: 'enter' },
  });
  if (!item) return;
  const mapIterationStartedEventDetails = { name: frame.state, index };
  run.record(child, 'MapIterationStarted', { mapIterationStartedEventDetails });
}

function itemInput(run: Run, frame: Frame, { index, value }: NonNullable<Frame['item']>): Json {
  const state = run.stateOf(frame);
  const select = state.Type === 'Map' ? (state.ItemSelector ?? state.Parameters) : undefined;
  if (!select) return value;
  const scope = run.scope(frame, run.effectiveInput(frame, state), { Map: { Item: { Index: index, Value: value } } });
  return orRuntimeError(frame, () => select(scope));
}

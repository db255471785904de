import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { REPLAYS_MAX } from '#shared/replay-limit';
import { readItem, type Table, transact } from '#shared/table/table.dynamodb';
import {
  type Condition,
  conditionCheck,
  EXISTS,
  IS_NEW,
  putItem,
  putWrite,
  updateWrite,
} from '#shared/table/writes.dynamodb';
import { currentOrigin } from '#shared/telemetry/origin';
import { configurationKey } from '../configurations/configuration-store.dynamodb.ts';
import type { Attempt } from './attempt.ts';
import { type EndedRun, hasEnded, isLeased, type Payload, type Run, type RunKey, type WaitingRun } from './run.ts';
import {
  attemptIn,
  attemptItem,
  payloadIn,
  payloadItem,
  payloadKey,
  runIn,
  runItem,
  runKey,
} from './run-items.dynamodb.ts';
import type { ReplayOutcome, Runs } from './runs.ts';

export interface RunStoreOptions {
  readonly table: Table;
  /** The number of days that runs, with payload and attempts, are kept. */
  readonly retentionDays: number;
  /**
   * A write that joins the transaction of a replay and can forbid it by its condition. Required to make replays for
   * bulk replays, which count them by it.
   */
  readonly countingReplay?: (run: WaitingRun & { readonly bulkReplay: string }) => TransactWriteItem;
}

export const runStore = (store: RunStoreOptions): Runs => ({
  byId: (key) => readItem(store.table, runKey(key), runIn),
  payload: (key) => readItem(store.table, payloadKey(key), payloadIn),
  create: (run, payload) => create(store, run, payload),
  createReplay: (original, run, payload) => createReplay(store, { original, run, payload }),
  replace: (run) => putRun(store, run, { condition: 'revision = :before', values: { before: run.revision - 1 } }),
  finish: (run, token) => finish(store, run, token),
  addAttempt: (key, attempt) => addAttempt(store, key, attempt),
  addLate: async (key, attempt) => {
    await putItem(store.table, attemptOf(store, key, attempt));
  },
  addInterrupted: (key, attempt) => addInterrupted(store, key, attempt),
});

const FIRST: Condition = { ...IS_NEW, returnsOld: true };

async function create(store: RunStoreOptions, newRun: Run, payload: Payload): Promise<Run> {
  const first = await putPayload(store, newRun, payload);
  // If a worker died between the two writes, the time in the stored payload counts.
  const run = { ...newRun, ...currentOrigin(), createdAt: first.createdAt };
  const write = await putItem(store.table, itemOf(store, run), FIRST);
  return write.done || !write.item ? run : runIn(write.item);
}

interface Replay {
  readonly original: RunKey;
  readonly run: WaitingRun;
  readonly payload: Payload;
}

async function createReplay(
  store: RunStoreOptions,
  { original, run: newRun, payload }: Replay,
): Promise<ReplayOutcome> {
  const run = { ...newRun, ...currentOrigin() };
  await putPayload(store, run, payload);
  const outcome = await transact(store.table, [
    countedOn(store.table, original, run),
    conditionCheck(store.table.name, configurationKey({ tenant: run.tenant, id: run.configurationId }), {
      condition: 'attribute_exists(pk) AND (attribute_not_exists(#enabled) OR #enabled = :yes)',
      values: { yes: true },
      returnsOld: true,
    }),
    putWrite(store.table.name, itemOf(store, run), IS_NEW),
    ...countedOnBulkReplay(store, run),
  ]);
  if (outcome.done) return 'created';
  const [notReplayable, unusable, there, bulkReplayEnded] = outcome.refused;
  // This is checked first, because a repeated call also finds the counter raised.
  if (there) return 'exists';
  if (bulkReplayEnded) return 'bulk-replay-ended';
  if (notReplayable || !unusable) return 'not-replayable';
  return unusable.item ? 'configuration-disabled' : 'configuration-missing';
}

const countedOn = (table: Table, original: RunKey, { id }: WaitingRun): TransactWriteItem =>
  updateWrite(table.name, runKey(original), {
    change:
      'SET replays = replays + :one, revision = revision + :one, ' +
      'replayedBy = list_append(if_not_exists(replayedBy, :none), :id)',
    condition:
      '#status = :failed AND replays < :most AND attribute_not_exists(resolvedBy) AND attribute_not_exists(replayOf)',
    values: { one: 1, none: [], id: [id], failed: 'FAILED', most: REPLAYS_MAX },
  });

function countedOnBulkReplay({ countingReplay }: RunStoreOptions, run: WaitingRun): TransactWriteItem[] {
  const { bulkReplay } = run;
  if (bulkReplay === undefined) return [];
  if (!countingReplay) throw new Error('This store of runs cannot count replays of bulk replays.');
  return [countingReplay({ ...run, bulkReplay })];
}

async function finish(store: RunStoreOptions, run: WaitingRun | EndedRun, token: string): Promise<boolean> {
  const isLeaseHeld = { condition: 'lease.#token = :token', values: { token } };
  if (run.replayOf === undefined || run.status !== 'COMPLETED') return putRun(store, run, isLeaseHeld);
  const outcome = await transact(store.table, [
    putWrite(store.table.name, itemOf(store, run), { ...isLeaseHeld, returnsOld: true }),
    resolving(store.table, run, run.replayOf),
  ]);
  if (outcome.done) return true;
  const [refused] = outcome.refused;
  // If the original has expired meanwhile, only the run itself is written.
  return refused ? isSame(refused.item && runIn(refused.item), run) : putRun(store, run, isLeaseHeld);
}

const resolving = (table: Table, { tenant, id }: RunKey, original: string): TransactWriteItem =>
  updateWrite(table.name, runKey({ tenant, id: original }), {
    change: 'SET resolvedBy = if_not_exists(resolvedBy, :replay), revision = revision + :one',
    ...EXISTS,
    values: { replay: id, one: 1 },
  });

async function addAttempt(store: RunStoreOptions, key: RunKey, attempt: Attempt): Promise<boolean> {
  const write = await putItem(store.table, attemptOf(store, key, attempt), {
    condition: 'attribute_not_exists(outcome) OR outcome <> :interrupted',
    values: { interrupted: 'interrupted' },
  });
  return write.done;
}

async function addInterrupted(store: RunStoreOptions, key: RunKey, attempt: Attempt): Promise<Attempt | undefined> {
  const write = await putItem(store.table, attemptOf(store, key, attempt), FIRST);
  const there = write.done || !write.item ? undefined : attemptIn(write.item);
  return there?.outcome === 'interrupted' || there?.isLate ? undefined : there;
}

/** Puts a run. The SDK repeats a call whose answer was lost, so an identical stored run counts as put. */
async function putRun(store: RunStoreOptions, run: Run, condition: Condition): Promise<boolean> {
  const write = await putItem(store.table, itemOf(store, run), { ...condition, returnsOld: true });
  return write.done || isSame(write.item && runIn(write.item), run);
}

/** Returns the payload that was stored first. */
async function putPayload(store: RunStoreOptions, run: Run, payload: Payload): Promise<Payload> {
  const write = await putItem(store.table, payloadItem(run, payload, runExpiry(store, run)), FIRST);
  return write.done || !write.item ? payload : payloadIn(write.item);
}

const itemOf = (store: RunStoreOptions, run: Run) => runItem(run, runExpiry(store, run));

/**
 * An attempt expires after the same retention as a run, counted from its own start, because the key of the run does not
 * contain the run's expiry.
 */
const attemptOf = (store: RunStoreOptions, key: RunKey, attempt: Attempt) =>
  attemptItem(key, attempt, expiry(store, attempt.startedAt));

const runExpiry = (store: RunStoreOptions, { createdAt, keptUntil = 0 }: Run) =>
  Math.max(expiry(store, createdAt), keptUntil);

const expiry = ({ retentionDays }: RunStoreOptions, createdAt: number) => createdAt + retentionDays * 86_400_000;

/** Returns whether the stored run was written by this worker, in a call whose response was lost. */
const isSame = (stored: Run | undefined, run: Run) =>
  stored !== undefined &&
  stored.revision === run.revision &&
  stored.status === run.status &&
  markOf(stored) === markOf(run);

function markOf(run: Run): string | number {
  if (isLeased(run)) return run.lease.token;
  return hasEnded(run) ? run.completedAt : run.nextAttemptAt;
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { listPage, readItem, type Table, transact, wholeList } from '#shared/table/table.dynamodb';
import {
  assignment,
  type Change,
  deleteWrite,
  IS_NEW,
  putWrite,
  updateItem,
  updateWrite,
} from '#shared/table/writes.dynamodb';
import { RUNNING_BULK_REPLAYS } from '../table-keys.ts';
import type { BulkReplay, BulkReplayKey, BulkReplays } from './bulk-replay.ts';
import {
  bulkReplayIn,
  bulkReplayItem,
  bulkReplayKey,
  bulkReplaysOf,
  runningIn,
  runningItem,
  runningKey,
} from './bulk-replay-items.dynamodb.ts';

export const bulkReplayStore = (table: Table): BulkReplays => ({
  start: (replay, { retentionDays }) => start(table, replay, retentionDays),
  byId: (key) => byId(table, key),
  list: (tenant, page) => listPage(table, bulkReplaysOf(tenant), page, bulkReplayIn),
  save: (next) => save(table, next),
  cancel: (key, now) => cancel(table, key, now),
  running: () => running(table),
  recordWake: (replay, now) => recordWake(table, replay, now),
});

async function start(table: Table, replay: BulkReplay, retentionDays: number): Promise<{ readonly running?: string }> {
  const expiresAt = replay.createdAt + retentionDays * 86_400_000;
  const items = [runningItem(replay, expiresAt), bulkReplayItem(replay, expiresAt)];
  const puts = items.map((item) => putWrite(table.name, item, { ...IS_NEW, returnsOld: true }));
  const outcome = await transact(table, puts);
  if (outcome.done) return {};
  const [other] = outcome.refused;
  if (!other?.item) throw new Error(`There is a bulk replay ${replay.id} already.`);
  return { running: runningIn(other.item).id };
}

const byId = (table: Table, key: BulkReplayKey): Promise<BulkReplay | undefined> =>
  readItem(table, bulkReplayKey(key), bulkReplayIn);

async function save(table: Table, next: BulkReplay): Promise<boolean> {
  const { status, completedAt, skipped, pages, cursor, reached, pacedUntil, progressedAt } = next;
  const page = { status, completedAt, skipped, pages, cursor, reached, pacedUntil, progressedAt };
  const change = whileRunning({ ...page, wakeUps: undefined, wokenAt: undefined }, pages - 1);
  if (status !== 'RUNNING') {
    return (await transact(table, [updateWrite(table.name, bulkReplayKey(next), change), endRunning(table, next)]))
      .done;
  }
  const write = await updateItem(table, bulkReplayKey(next), { ...change, returnsOld: true });
  // The SDK repeats a call whose answer was lost; the time distinguishes this write from another worker's.
  return write.done || (write.item?.['pages'] === pages && write.item['progressedAt'] === progressedAt);
}

async function cancel(table: Table, key: BulkReplayKey, now: number): Promise<BulkReplay | undefined> {
  const replay = await byId(table, key);
  if (replay?.status !== 'RUNNING') return replay;
  const cancelled = whileRunning({ status: 'CANCELLED', completedAt: now });
  // Refused only if the replay has ended by itself meanwhile.
  await transact(table, [updateWrite(table.name, bulkReplayKey(key), cancelled), endRunning(table, key)]);
  return byId(table, key);
}

async function* running(table: Table): AsyncGenerator<BulkReplayKey> {
  for await (const item of wholeList(table, RUNNING_BULK_REPLAYS)) yield runningIn(item);
}

async function recordWake(table: Table, { pages, wakeUps = 0, ...key }: BulkReplay, now: number): Promise<boolean> {
  return (await updateItem(table, bulkReplayKey(key), whileRunning({ wakeUps: wakeUps + 1, wokenAt: now }, pages)))
    .done;
}

/** Changes these attributes of a running bulk replay. @param pages that it had when it was read. @default any number */
function whileRunning(attributes: object, pages?: number): Change {
  return {
    ...assignment(attributes),
    condition: `#status = :running${pages === undefined ? '' : ' AND pages = :seenPages'}`,
    values: { ...attributes, running: 'RUNNING', seenPages: pages },
  };
}

const endRunning = (table: Table, { tenant, id }: BulkReplayKey): TransactWriteItem =>
  deleteWrite(table.name, runningKey(tenant), { condition: 'attribute_not_exists(pk) OR id = :id', values: { id } });

import { type TransactWriteItem, type Update, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  getItem,
  type Item,
  listItems,
  marshalled,
  type Table,
  transact,
  whenAllowed,
} from '#shared/table/table.dynamodb';
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
  list: async (tenant, page) => {
    const { items, ...rest } = await listItems(table, bulkReplaysOf(tenant), page);
    return { ...rest, items: items.map(bulkReplayIn) };
  },
  save: (next) => save(table, next),
  cancel: (key, now) => cancel(table, key, now),
  running: () => running(table),
  recordWake: (replay, now) => recordWake(table, replay, now),
});

async function start(table: Table, replay: BulkReplay, retentionDays: number): Promise<{ readonly running?: string }> {
  const put = (item: Item): TransactWriteItem => ({
    Put: {
      TableName: table.name,
      Item: marshalled(item),
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });
  const expiresAt = replay.createdAt + retentionDays * 86_400_000;
  const outcome = await transact(table, [put(runningItem(replay, expiresAt)), put(bulkReplayItem(replay, expiresAt))]);
  if (outcome.done) return {};
  const [other] = outcome.refused;
  if (!other?.item) throw new Error(`There is a bulk replay ${replay.id} already.`);
  return { running: runningIn(other.item).id };
}

async function byId(table: Table, key: BulkReplayKey): Promise<BulkReplay | undefined> {
  const item = await getItem(table, bulkReplayKey(key));
  return item && bulkReplayIn(item);
}

async function save(table: Table, next: BulkReplay): Promise<boolean> {
  const { status, completedAt, skipped, pages, cursor, reached, pacedUntil, progressedAt } = next;
  const page = { status, completedAt, skipped, pages, cursor, reached, pacedUntil, progressedAt };
  const input = update(table, next, {
    change: { ...page, wakings: undefined, wokenAt: undefined },
    expected: { pages: pages - 1 },
  });
  if (status !== 'RUNNING') return (await transact(table, [{ Update: input }, endRunning(table, next)])).done;
  const write = await whenAllowed(
    table.client.send(new UpdateItemCommand({ ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
  );
  // The SDK repeats a call whose answer was lost; the time distinguishes this write from another worker's.
  return write.done || (write.item?.['pages'] === pages && write.item['progressedAt'] === progressedAt);
}

async function cancel(table: Table, key: BulkReplayKey, now: number): Promise<BulkReplay | undefined> {
  const replay = await byId(table, key);
  if (replay?.status !== 'RUNNING') return replay;
  const cancelled = update(table, key, { change: { status: 'CANCELLED', completedAt: now } });
  // Refused only if the replay has ended by itself meanwhile.
  await transact(table, [{ Update: cancelled }, endRunning(table, key)]);
  return byId(table, key);
}

async function* running(table: Table): AsyncGenerator<BulkReplayKey> {
  let cursor: string | undefined;
  do {
    const page = await listItems(table, RUNNING_BULK_REPLAYS, { limit: 100, ...(cursor !== undefined && { cursor }) });
    yield* page.items.map(runningIn);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function recordWake(table: Table, { pages, wakings = 0, ...key }: BulkReplay, now: number): Promise<boolean> {
  const input = update(table, key, { change: { wakings: wakings + 1, wokenAt: now }, expected: { pages } });
  return (await whenAllowed(table.client.send(new UpdateItemCommand(input)))).done;
}

/** Changes these attributes of a running bulk replay. Undefined values are removed. */
function update(table: Table, key: BulkReplayKey, { change, expected = {} }: { change: object; expected?: object }) {
  const fields = Object.entries(change);
  const conditions = Object.entries(expected);
  const set = fields.filter(([, value]) => value !== undefined).map(([name]) => `#${name} = :${name}`);
  const removed = fields.filter(([, value]) => value === undefined).map(([name]) => `#${name}`);
  return {
    TableName: table.name,
    Key: marshalled(bulkReplayKey(key)),
    UpdateExpression: `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
    ConditionExpression: ['#status = :running', ...conditions.map(([name]) => `#${name} = :seen_${name}`)].join(
      ' AND ',
    ),
    ExpressionAttributeNames: Object.fromEntries(
      ['status', ...Object.keys(change), ...Object.keys(expected)].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: marshalled({
      ':running': 'RUNNING',
      ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      ...Object.fromEntries(conditions.map(([name, value]) => [`:seen_${name}`, value])),
    }),
  } satisfies Update;
}

const endRunning = (table: Table, { tenant, id }: BulkReplayKey): TransactWriteItem => ({
  Delete: {
    TableName: table.name,
    Key: marshalled(runningKey(tenant)),
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: marshalled({ ':id': id }),
  },
});

import { type TransactWriteItem, type Update, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { getItem, type Item, listItems, marshalled, type Table, transact, whenAllowed } from '#shared/table.dynamodb';
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

export const bulkReplayStore = (table: Table): BulkReplays => {
  async function byId(key: BulkReplayKey): Promise<BulkReplay | undefined> {
    const item = await getItem(table, bulkReplayKey(key));
    return item && bulkReplayIn(item);
  }

  /** A change of these attributes, of a bulk replay that runs. Undefined values are removed. */
  function update(key: BulkReplayKey, change: object, seen: object = {}) {
    const fields = Object.entries(change);
    const conditions = Object.entries(seen);
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
        ['status', ...Object.keys(change), ...Object.keys(seen)].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: marshalled({
        ':running': 'RUNNING',
        ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        ...Object.fromEntries(conditions.map(([name, value]) => [`:seen_${name}`, value])),
      }),
    } satisfies Update;
  }

  const givingWay = ({ tenant, id }: BulkReplayKey): TransactWriteItem => ({
    Delete: {
      TableName: table.name,
      Key: marshalled(runningKey(tenant)),
      ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
      ExpressionAttributeValues: marshalled({ ':id': id }),
    },
  });

  return {
    byId,

    async start(replay, { retentionDays }) {
      const put = (item: Item): TransactWriteItem => ({
        Put: {
          TableName: table.name,
          Item: marshalled(item),
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      });
      const expiresAt = replay.createdAt + retentionDays * 86_400_000;
      const outcome = await transact(table, [
        put(runningItem(replay, expiresAt)),
        put(bulkReplayItem(replay, expiresAt)),
      ]);
      if (outcome.done) return {};
      const [other] = outcome.refused;
      if (!other?.item) throw new Error(`There is a bulk replay ${replay.id} already.`);
      return { running: runningIn(other.item).id };
    },

    async list(tenant, page) {
      const { items, ...rest } = await listItems(table, bulkReplaysOf(tenant), page);
      return { ...rest, items: items.map(bulkReplayIn) };
    },

    async save(next) {
      const { status, completedAt, skipped, pages, cursor, reached, pacedUntil, progressedAt } = next;
      const change = { status, completedAt, skipped, pages, cursor, reached, pacedUntil, progressedAt };
      const noted = update(next, { ...change, wakings: undefined, wokenAt: undefined }, { pages: pages - 1 });
      if (status !== 'RUNNING') return (await transact(table, [{ Update: noted }, givingWay(next)])).done;
      const write = await whenAllowed(
        table.client.send(new UpdateItemCommand({ ...noted, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
      );
      // The SDK repeats a call whose answer was lost; the time tells our own write from somebody else's.
      return write.done || (write.item?.['pages'] === pages && write.item['progressedAt'] === progressedAt);
    },

    async cancel(key, now) {
      const replay = await byId(key);
      if (replay?.status !== 'RUNNING') return replay;
      const cancelled = update(key, { status: 'CANCELLED', completedAt: now });
      // Refused only if it has ended by itself meanwhile.
      await transact(table, [{ Update: cancelled }, givingWay(key)]);
      return byId(key);
    },

    async *running() {
      let cursor: string | undefined;
      do {
        const page = await listItems(table, RUNNING_BULK_REPLAYS, {
          limit: 100,
          ...(cursor !== undefined && { cursor }),
        });
        yield* page.items.map(runningIn);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },

    async noteWaking({ pages, wakings = 0, ...key }, now) {
      const noted = update(key, { wakings: wakings + 1, wokenAt: now }, { pages });
      return (await whenAllowed(table.client.send(new UpdateItemCommand(noted)))).done;
    },
  };
};

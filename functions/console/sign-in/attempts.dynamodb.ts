import { createHash } from 'node:crypto';
import {
  DeleteItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { getItems, type Key, marshalled, type Table, transact } from '#shared/table/table.dynamodb';
import { ATTEMPTS } from '../table-keys.ts';
import { type AttemptCounts, type CountKey, PAUSE_MILLIS, type Series, type SeriesChange } from './attempt-limit.ts';

const Item = z.object({ sk: z.string(), failures: z.number(), lastAt: z.number() });

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const partitionOf = (owner: string) => `${ATTEMPTS}${hashOf(owner)}`;
/** Returns the sort key of a part. Addresses and devices are hashed, so that the table has no personal data. */
const partKey = (part: string) => {
  const [kind = '', ...rest] = part.split(' ');
  return rest.length === 0 ? kind : `${kind}#${hashOf(rest.join(' '))}`;
};
const keyOf = ({ owner, part }: CountKey): Key => ({ pk: partitionOf(owner), sk: partKey(part) });

export const attemptCounts = (table: Table): AttemptCounts => ({
  async read(counted) {
    const keys = counted.map(keyOf);
    const items = await getItems(table, keys);
    return keys.map(({ pk, sk }) => {
      const item = items.find((one) => one['pk'] === pk && one['sk'] === sk);
      return item && seriesIn(item);
    });
  },

  replace: async (changes) => (await transact(table, changes.map(putOf(table.name)))).done,
});

function seriesIn(item: object): Series {
  const { failures, lastAt } = z.parse(Item, item);
  return { failures, lastAt };
}

const putOf =
  (TableName: string) =>
  ({ counted, from, to }: SeriesChange): TransactWriteItem => ({
    Put: {
      TableName,
      Item: marshalled({ ...keyOf(counted), ...to, ttl: Math.ceil((to.lastAt + PAUSE_MILLIS) / 1_000) + 60 }),
      ...(from
        ? {
            ConditionExpression: 'failures = :failures AND lastAt = :lastAt',
            ExpressionAttributeValues: marshalled({ ':failures': from.failures, ':lastAt': from.lastAt }),
          }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  });

/** A series of a name, with the kind of its part: `NAME`, `PAIR` or `DEVICE`. */
export interface PartSeries {
  readonly kind: string;
  readonly key: Key;
  readonly series: Series;
}

/** Reads all series of one owner. */
export async function seriesOf({ client, name }: Table, owner: string): Promise<PartSeries[]> {
  const all: PartSeries[] = [];
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items: items = [], LastEvaluatedKey: last } = await client.send(
      new QueryCommand({
        TableName: name,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshalled({ ':pk': partitionOf(owner) }),
        ExclusiveStartKey: start,
      }),
    );
    for (const item of items.map((one) => unmarshall(one))) {
      const { sk } = z.parse(Item, item);
      const key = { pk: partitionOf(owner), sk };
      all.push({ kind: sk.split('#')[0] ?? '', key, series: seriesIn(item) });
    }
    start = last;
  } while (start);
  return all;
}

/** Deletes all series of one owner, so that every browser may try again. */
export async function forgetSeries(table: Table, owner: string): Promise<void> {
  const all = await seriesOf(table, owner);
  for (const { key } of all) {
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshalled(key) }));
  }
}

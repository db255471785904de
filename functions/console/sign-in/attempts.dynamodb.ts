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
import {
  type AttemptCounts,
  type CounterKey,
  type FailureSeries,
  type FailuresChange,
  LOCKOUT_MILLIS,
} from './lockout.ts';

const Item = z.object({ sk: z.string(), failures: z.number(), lastAt: z.number() });

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const partitionOf = (owner: string) => `${ATTEMPTS}${hashOf(owner)}`;
/** Returns the sort key of a part. Addresses and devices are hashed, so that the table has no personal data. */
const partKey = (part: string) => {
  const [kind = '', ...rest] = part.split(' ');
  return rest.length === 0 ? kind : `${kind}#${hashOf(rest.join(' '))}`;
};
const keyOf = ({ owner, part }: CounterKey): Key => ({ pk: partitionOf(owner), sk: partKey(part) });

export const attemptCounts = (table: Table): AttemptCounts => ({
  async read(counters) {
    const keys = counters.map(keyOf);
    const items = await getItems(table, keys);
    return keys.map(({ pk, sk }) => {
      const item = items.find((one) => one['pk'] === pk && one['sk'] === sk);
      return item && seriesIn(item);
    });
  },

  replace: async (changes) => (await transact(table, changes.map(putOf(table.name)))).done,
});

function seriesIn(item: object): FailureSeries {
  const { failures, lastAt } = z.parse(Item, item);
  return { failures, lastAt };
}

const putOf =
  (TableName: string) =>
  ({ key, from, to }: FailuresChange): TransactWriteItem => ({
    Put: {
      TableName,
      Item: marshalled({ ...keyOf(key), ...to, ttl: Math.ceil((to.lastAt + LOCKOUT_MILLIS) / 1_000) + 60 }),
      ...(from
        ? {
            ConditionExpression: 'failures = :failures AND lastAt = :lastAt',
            ExpressionAttributeValues: marshalled({ ':failures': from.failures, ':lastAt': from.lastAt }),
          }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  });

/** The failures with a name, of one kind of part: `NAME`, `PAIR` or `DEVICE`. */
export interface PartFailures {
  readonly kind: string;
  readonly key: Key;
  readonly series: FailureSeries;
}

/** Reads all failures of one owner. */
export async function failuresOf({ client, name }: Table, owner: string): Promise<PartFailures[]> {
  const all: PartFailures[] = [];
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

/** Deletes all failures of one owner, so that every browser may try again. */
export async function forgetFailures(table: Table, owner: string): Promise<void> {
  const all = await failuresOf(table, owner);
  for (const { key } of all) {
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshalled(key) }));
  }
}

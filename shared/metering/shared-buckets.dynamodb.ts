import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type Key, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { bucketExpressions } from './bucket-write.ts';
import type { BucketStore } from './shared-buckets.ts';

const BucketItem = z.object({ tat: z.int() });

/** Buckets are full long before they expire, and a full bucket needs no item. */
const RETENTION_SECONDS = 86_400;

/** Stores buckets as items of a table. @param keyOf the key of a holder's item */
export function bucketStore({ client, name }: Table, keyOf: (holder: string) => Key): BucketStore {
  return {
    async take(holder, bucket, write) {
      const { change, condition, values } = bucketExpressions(write, bucket);
      const update = new UpdateItemCommand({
        TableName: name,
        Key: marshall(keyOf(holder)),
        UpdateExpression: `SET ${change}, #ttl = :ttl`,
        ConditionExpression: write.branch === 'idle' ? `attribute_not_exists(tat) OR ${condition}` : condition,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: marshall({
          ...values,
          ':ttl': Math.ceil(write.now / 1_000_000) + RETENTION_SECONDS,
        }),
        ReturnValues: 'UPDATED_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const outcome = await whenAllowed(client.send(update));
      if (!outcome.done) return { done: false, arrival: arrivalIn(outcome.item) };
      return { done: true, arrival: arrivalIn(unmarshall(outcome.result.Attributes ?? {})) };
    },

    async arrivalOf(holder) {
      const { Item: item } = await client.send(new GetItemCommand({ TableName: name, Key: marshall(keyOf(holder)) }));
      return arrivalIn(item && unmarshall(item));
    },
  };
}

const arrivalIn = (item: unknown): number => (item === undefined ? 0 : BucketItem.parse(item).tat);

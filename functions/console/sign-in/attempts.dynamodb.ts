import { createHash } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { ATTEMPTS } from '../table-keys.ts';
import { type AttemptCounts, type Counted, WINDOW_MILLIS } from './attempt-limit.ts';

const keyOf = ({ subject, window }: Counted) => ({
  pk: `${ATTEMPTS}${createHash('sha256').update(subject).digest('base64url')}`,
  sk: String(window),
});

export const attemptCounts = (table: Table): AttemptCounts => ({
  async take(counted, most) {
    const write = await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(keyOf(counted)),
          ConditionExpression: 'attribute_not_exists(pk) OR attempts < :most',
          UpdateExpression: 'ADD attempts :one SET #ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: marshalled({
            ':one': 1,
            ':most': most,
            ':ttl': ((counted.window + 2) * WINDOW_MILLIS) / 1_000,
          }),
        }),
      ),
    );
    return write.done;
  },

  async giveBack(counted) {
    await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(keyOf(counted)),
          ConditionExpression: 'attempts > :zero',
          UpdateExpression: 'ADD attempts :less',
          ExpressionAttributeValues: marshalled({ ':zero': 0, ':less': -1 }),
        }),
      ),
    );
  },
});

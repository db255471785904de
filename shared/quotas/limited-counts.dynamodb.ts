import { type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Key, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';

/** A count that never exceeds its limit, however many callers add to it at once. */
export interface LimitedCount {
  readonly key: Key;
  readonly limit: number;
  /** Seconds since 1970. @default the count is kept */
  readonly ttl?: number;
}

/** Takes one of what is left, as part of a transaction that is refused if nothing is. */
export const takingOne = (table: Table, count: LimitedCount) => ({ Update: taking(table, count) });

/** Takes one of what is left; false if nothing is. */
export async function takeOne(table: Table, count: LimitedCount): Promise<boolean> {
  return (await whenAllowed(table.client.send(new UpdateItemCommand(taking(table, count))))).done;
}

/** Gives back one that was taken, as part of the transaction that ends what it was taken for. */
export const givingBack = ({ name }: Table, key: Key): TransactWriteItem => ({
  Update: {
    TableName: name,
    Key: marshalled(key),
    UpdateExpression: 'ADD #count :back',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: marshalled({ ':back': -1 }),
  },
});

const taking = ({ name }: Table, { key, limit, ttl }: LimitedCount) => ({
  TableName: name,
  Key: marshalled(key),
  UpdateExpression: `ADD #count :one${ttl === undefined ? '' : ' SET #ttl = :ttl'}`,
  ConditionExpression: '(attribute_not_exists(#count) AND :limit > :none) OR #count < :limit',
  ExpressionAttributeNames: { '#count': 'count', ...(ttl !== undefined && { '#ttl': 'ttl' }) },
  ExpressionAttributeValues: marshalled({
    ':one': 1,
    ':none': 0,
    ':limit': limit,
    ...(ttl !== undefined && { ':ttl': ttl }),
  }),
});

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Key, Table } from '#shared/table/table.dynamodb';
import { type Change, updateItem, updateWrite } from '#shared/table/writes.dynamodb';

/** A count that never exceeds its limit, however many callers add to it at once. */
export interface LimitedCount {
  readonly key: Key;
  readonly limit: number;
  /** Seconds since 1970. @default the count is kept */
  readonly ttl?: number;
}

/** Takes one of what is left, as part of a transaction that is refused if nothing is. */
export const takingOne = ({ name }: Table, count: LimitedCount): TransactWriteItem =>
  updateWrite(name, count.key, taking(count));

/** Takes one of what is left; false if nothing is. */
export async function takeOne(table: Table, count: LimitedCount): Promise<boolean> {
  return (await updateItem(table, count.key, taking(count))).done;
}

/** Gives back one that was taken, as part of the transaction that ends what it was taken for. */
export const givingBack = ({ name }: Table, key: Key): TransactWriteItem =>
  updateWrite(name, key, { change: 'ADD #count :back', values: { back: -1 } });

const taking = ({ limit, ttl }: LimitedCount): Change => ({
  change: `ADD #count :one${ttl === undefined ? '' : ' SET #ttl = :ttl'}`,
  condition: '(attribute_not_exists(#count) AND :limit > :none) OR #count < :limit',
  values: { one: 1, none: 0, limit, ttl },
});

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Item, marshalled } from '#shared/table/table.dynamodb';

/** Counts the saves of an item, so that a save notices another one that came between its read and its write. */
const Revised = z.object({ revision: z.int() });

export const revisionOf = (item: Item): number => Revised.parse(item).revision;

export type Condition = Pick<
  NonNullable<TransactWriteItem['Delete']>,
  'ConditionExpression' | 'ExpressionAttributeValues'
>;

/** @param revision as it was read; undefined for an item that must not exist yet. */
export function unchangedSince(revision: number | undefined): Condition {
  if (revision === undefined) return { ConditionExpression: 'attribute_not_exists(pk)' };
  return {
    ConditionExpression: 'revision = :revision',
    ExpressionAttributeValues: marshalled({ ':revision': revision }),
  };
}

import * as z from 'zod/mini';
import { getItem, type Key, marshalled, type Table, transact } from '#shared/table.dynamodb';
import { SUBMISSIONS } from '../table-keys.ts';
import type { Validation } from '../validations/validation.ts';
import { newValidationWrite } from '../validations/validation-items.dynamodb.ts';
import type { DayOfCustomer } from './submit.ts';

const DAYS_KEPT = 2;

const dayKey = ({ tenant, id, day }: DayOfCustomer): Key => ({
  pk: `${SUBMISSIONS}${tenant}#${id}`,
  sk: `DAY#${day}`,
});

const DayItem = z.object({ count: z.int() });

/** How many records the customer has submitted on that day so far. */
export async function submissionsOn(table: Table, day: DayOfCustomer): Promise<number> {
  const item = await getItem(table, dayKey(day));
  return item ? DayItem.parse(item).count : 0;
}

/**
 * Writes a new record, and counts it on the day of its customer. One transaction, so that no two submissions can use one
 * free place of a day.
 */
export async function commitSubmission(
  table: Table,
  validation: Validation,
  day: DayOfCustomer,
): Promise<'done' | 'day-full' | 'id-taken'> {
  const outcome = await transact(table, [newValidationWrite(table, validation), dayWrite(table, day)]);
  if (outcome.done) return 'done';
  return outcome.refused[1] ? 'day-full' : 'id-taken';
}

const dayWrite = ({ name }: Table, day: DayOfCustomer) => ({
  Update: {
    TableName: name,
    Key: marshalled(dayKey(day)),
    UpdateExpression: 'ADD #count :one SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
    ExpressionAttributeNames: { '#count': 'count', '#ttl': 'ttl' },
    ExpressionAttributeValues: marshalled({
      ':one': 1,
      ':limit': day.limit,
      ':ttl': Date.parse(`${day.day}T00:00:00Z`) / 1_000 + DAYS_KEPT * 86_400,
    }),
  },
});

import * as z from 'zod/mini';
import { type LimitedCount, takingOne } from '#shared/quotas/limited-counts.dynamodb';
import { getItem, type Key, marshalled, type Table, transact } from '#shared/table/table.dynamodb';
import { SUBMISSIONS } from '../table-keys.ts';
import type { Validation } from '../validations/validation.ts';
import { newValidationWrite } from '../validations/validation-items.dynamodb.ts';
import type { EarlierRequest, RequestMark } from './repeats.ts';
import type { CallMark, CommitResult, CustomerDay } from './submit.ts';

const DAYS_KEPT = 2;

const dayKey = ({ tenant, id, day }: CustomerDay): Key => ({
  pk: `${SUBMISSIONS}${tenant}#${id}`,
  sk: `DAY#${day}`,
});

const DayItem = z.object({ count: z.int() });

/** Reads how many validations the customer has submitted that day. */
export async function submissionsOn(table: Table, day: CustomerDay): Promise<number> {
  const item = await getItem(table, dayKey(day));
  return item ? DayItem.parse(item).count : 0;
}

const requestKey = ({ tenant, id, digest }: RequestMark): Key => ({
  pk: `${SUBMISSIONS}${tenant}#${id}`,
  sk: `REQUEST#${digest}`,
});

const RequestItem = z.object({ validation: z.string(), bodyDigest: z.string(), at: z.string() });

/** Reads the customer's call with this mark that created a validation. It may be some days old. */
export async function earlierRequest(table: Table, mark: RequestMark): Promise<EarlierRequest | undefined> {
  const item = await getItem(table, requestKey(mark));
  if (!item) return undefined;
  const { at, ...request } = RequestItem.parse(item);
  return { ...request, at: Date.parse(at) };
}

/**
 * Writes a new validation, counts it for the customer's day, and stores the mark of its call. One transaction ensures
 * that two submissions cannot both take the last one of a day and that no call creates two validations.
 */
export async function commitSubmission(
  table: Table,
  validation: Validation,
  day: CustomerDay,
  callMark?: CallMark,
): Promise<CommitResult> {
  const outcome = await transact(table, [
    newValidationWrite(table, validation),
    takingOne(table, dayCount(day)),
    ...(callMark ? [requestWrite(table, validation, callMark)] : []),
  ]);
  if (outcome.done) return 'done';
  // The first of two equal calls may have taken the last submission of the day.
  if (outcome.refused[2]) return 'repeated';
  return outcome.refused[1] ? 'day-full' : 'id-taken';
}

const requestWrite = ({ name }: Table, { id, createdAt }: Validation, { mark, replaced }: CallMark) => ({
  Put: {
    TableName: name,
    Item: marshalled({
      ...requestKey(mark),
      validation: id,
      bodyDigest: mark.bodyDigest,
      at: createdAt,
      ttl: Math.ceil(Date.parse(createdAt) / 1_000) + DAYS_KEPT * 86_400,
    }),
    ConditionExpression: `attribute_not_exists(pk)${replaced === undefined ? '' : ' OR validation = :replaced'}`,
    ...(replaced !== undefined && { ExpressionAttributeValues: marshalled({ ':replaced': replaced }) }),
  },
});

/** Counts the validations that a customer submits in a day. */
const dayCount = (day: CustomerDay): LimitedCount => ({
  key: dayKey(day),
  limit: day.limit,
  ttl: Date.parse(`${day.day}T00:00:00Z`) / 1_000 + DAYS_KEPT * 86_400,
});

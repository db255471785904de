import * as z from 'zod/mini';
import { type LimitedCount, takingOne } from '#shared/quotas/limited-counts.dynamodb';
import { type Key, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { putWrite } from '#shared/table/writes.dynamodb';
import { SUBMISSIONS } from '../table-keys.ts';
import type { Validation } from '../validations/validation.ts';
import { newValidationWrite } from '../validations/validation-items.dynamodb.ts';
import type { EarlierRequest, RequestMark } from './repeats.ts';
import type { CallMark, CommitResult, CustomerDay } from './submit.ts';

const RETENTION_DAYS = 2;

const dayKey = ({ tenant, id, day }: CustomerDay): Key => ({
  pk: `${SUBMISSIONS}${tenant}#${id}`,
  sk: `DAY#${day}`,
});

const DayItem = z.object({ count: z.int() });

/** Reads how many validations the customer has submitted that day. */
export const submissionsOn = async (table: Table, day: CustomerDay): Promise<number> =>
  (await readItem(table, dayKey(day), (item) => DayItem.parse(item).count)) ?? 0;

const requestKey = ({ tenant, id, digest }: RequestMark): Key => ({
  pk: `${SUBMISSIONS}${tenant}#${id}`,
  sk: `REQUEST#${digest}`,
});

const RequestItem = z.object({ validation: z.string(), bodyDigest: z.string(), at: z.string() });

/** Reads the customer's call with this mark that created a validation. It may be some days old. */
export const earlierRequest = (table: Table, mark: RequestMark): Promise<EarlierRequest | undefined> =>
  readItem(table, requestKey(mark), (item) => {
    const { at, ...request } = RequestItem.parse(item);
    return { ...request, at: Date.parse(at) };
  });

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

function requestWrite({ name }: Table, { id, createdAt }: Validation, { mark, replaced }: CallMark) {
  const ttl = Math.ceil(Date.parse(createdAt) / 1_000) + RETENTION_DAYS * 86_400;
  const item = { ...requestKey(mark), validation: id, bodyDigest: mark.bodyDigest, at: createdAt, ttl };
  return putWrite(name, item, {
    condition: `attribute_not_exists(pk)${replaced === undefined ? '' : ' OR validation = :replaced'}`,
    values: { replaced },
  });
}

/** Counts the validations that a customer submits in a day. */
const dayCount = (day: CustomerDay): LimitedCount => ({
  key: dayKey(day),
  limit: day.limit,
  ttl: Date.parse(`${day.day}T00:00:00Z`) / 1_000 + RETENTION_DAYS * 86_400,
});

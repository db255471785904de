import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { queryItems } from '#shared/table/queries.dynamodb';
import type { Key, Table } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import { USAGE } from '../../table-keys.ts';
import { type BegunDay, endOfDay, type UsedDay } from './days.ts';

/** The retention of days, long enough to compare a year with the one before. */
const RETENTION_SECONDS = 400 * 86_400;

const dayKey = (tenant: string, date: string): Key => ({ pk: `${USAGE}${tenant}`, sk: `DAY#${date}` });

const DayItem = z.object({ date: z.string(), live: z.int(), test: z.int() });

/** The write of a day that has ended. A day without use has no item. */
export function dayWrites(tableName: string, tenant: string, day: BegunDay | undefined): TransactWriteItem[] {
  const ended = day?.ended;
  if (!ended || (ended.live === 0 && ended.test === 0)) return [];
  const { date, live, test } = ended;
  return [
    updateWrite(tableName, dayKey(tenant, date), {
      // The counts are added, so that a day that is written twice because clocks differ has both.
      change: 'SET #date = :date, #ttl = :ttl ADD #live :live, #test :test',
      values: { date, ttl: Math.floor(endOfDay(date) / 1_000) + RETENTION_SECONDS, live, test },
    }),
  ];
}

/** Past days with use, from one date to another, both included. */
export async function endedDays(
  table: Table,
  tenant: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<UsedDay[]> {
  const { pk, sk: first } = dayKey(tenant, from);
  const values = { pk, from: first, to: dayKey(tenant, to).sk };
  const items = await Array.fromAsync(queryItems(table, { where: 'pk = :pk AND sk BETWEEN :from AND :to', values }));
  return items.map((item) => DayItem.parse(item));
}

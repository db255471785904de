import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Key, Table } from '../table/table.dynamodb.ts';
import { type LimitedCount, takeOne } from './limited-counts.dynamodb.ts';
import { QUOTA } from './quotas.ts';

const DAY_MILLIS = 86_400_000;

/** The count of what a tenant has, or has made on a UTC day. */
export const quotaKey = (tenant: string, counted: string): Key => ({ pk: `${QUOTA}${tenant}`, sk: counted });

export interface OnDay {
  readonly now: number;
  readonly limit: number;
}

/** Returns the count of a tenant's acts on a UTC day, which expires a day later. */
export const countOfDay = (tenant: string, what: string, { now, limit }: OnDay): LimitedCount => ({
  key: quotaKey(tenant, `${what}#${isoTime(now).slice(0, 10)}`),
  limit,
  ttl: (Math.floor(now / DAY_MILLIS) + 2) * (DAY_MILLIS / 1_000),
});

/** Takes one of what a tenant may do on a UTC day, and refuses where nothing is left. @param what in the plural: `events` */
export const dailyQuota =
  (table: Table, what: string, limit: number) =>
  async (tenant: string, now: number): Promise<void> => {
    if (await takeOne(table, countOfDay(tenant, what, { now, limit }))) return;
    const detail = `Only ${limit} ${what} are taken of an account on a UTC day.`;
    const seconds = Math.ceil((DAY_MILLIS - (now % DAY_MILLIS)) / 1_000);
    throw new Refusal(429, 'quota-exceeded', detail, { headers: { 'retry-after': String(seconds) } });
  };

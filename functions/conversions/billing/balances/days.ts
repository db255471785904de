import { isoTime } from '#shared/formats/timestamp';
import type { Account } from './account.ts';

const DAY_MILLIS = 86_400_000;

/** The use of an account on a UTC day, `2026-11-23`: conversions counted on it, less those given back on it. */
export interface UsedDay {
  readonly date: string;
  readonly live: number;
  readonly test: number;
}

export const dateOf = (at: number): string => isoTime(at).slice(0, 10);

export const endOfDay = (date: string): number => Date.parse(date) + DAY_MILLIS;

/**
 * The day that the item counts, with its use so far. The limits of an item end with a day at the latest, so no request
 * of a later day is counted before the day is stored. Undefined for an item that is older than the counting of days.
 */
export function openDay(account: Account): UsedDay | undefined {
  const { validUntil, liveTotal = 0, testUsed, liveTotalAtDayStart, testUsedAtDayStart } = account;
  if (liveTotalAtDayStart === undefined || testUsedAtDayStart === undefined) return undefined;
  return {
    date: dateOf(validUntil / 1_000 - 1),
    live: liveTotal - liveTotalAtDayStart,
    test: testUsed - testUsedAtDayStart,
  };
}

/** The first day of an item, or a day later than the item's. */
export interface BegunDay {
  readonly date: string;
  /** The previous day, which the item has counted. */
  readonly ended?: UsedDay;
}

/** The day that begins with a step, if any. Clocks differ: to one that is slow, the item's day is not over. */
export function begunDay(item: Account, now: number): BegunDay | undefined {
  const date = dateOf(now);
  const ended = openDay(item);
  if (!ended) return { date };
  return date > ended.date ? { date, ended } : undefined;
}

import { isoTime } from '#shared/timestamp';
import type { MeterItem } from './account.ts';

const DAY_MILLIS = 86_400_000;

/** What an account has used on a UTC day, `2026-11-23`: what was counted on it, less what was given back on it. */
export interface UsedDay {
  readonly date: string;
  readonly live: number;
  readonly test: number;
}

export const dateOf = (at: number): string => isoTime(at).slice(0, 10);

export const endOfDay = (date: string): number => Date.parse(date) + DAY_MILLIS;

/**
 * The day that the item counts, with what is used so far. The limits of an item end with a day at the latest, so that no
 * request of a later day is counted before the day is noted. Undefined for an item from before days were counted.
 */
export function openDay({ vu, lu = 0, tu, ld, td }: MeterItem): UsedDay | undefined {
  if (ld === undefined || td === undefined) return undefined;
  return { date: dateOf(vu / 1_000 - 1), live: lu - ld, test: tu - td };
}

/** The first day of an item, or a later one than it has counted. */
export interface BegunDay {
  readonly date: string;
  /** The day before it that the item counted. */
  readonly ended?: UsedDay;
}

/** The day that begins with a step, if one does. Clocks differ: to one that is behind, the item's day is not over. */
export function begunDay(item: MeterItem, now: number): BegunDay | undefined {
  const date = dateOf(now);
  const ended = openDay(item);
  if (!ended) return { date };
  return date > ended.date ? { date, ended } : undefined;
}

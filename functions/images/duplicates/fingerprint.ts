import { createHash } from 'node:crypto';
import type { Purchase } from '../validations/validation.ts';

/**
 * A digest of store, minute and total. Two photographs of one receipt have the same, two receipts hardly ever.
 * Undefined if one of the three is missing. The transaction number is left out, because one misread digit would split a
 * receipt into two.
 */
export function fingerprintOf({ store, date, time, total }: Purchase): string | undefined {
  if (store === undefined || date === undefined || time === undefined || total === undefined) return undefined;
  const name = store.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return createHash('sha256').update([name, date, time, total].join('\n')).digest('hex');
}

/** The day and total, which tell receipts apart that look alike; undefined if either is missing. */
export const contentOf = ({ date, total }: Purchase): string | undefined =>
  date === undefined || total === undefined ? undefined : `${date} ${total}`;

/** True if both transaction numbers are printed and they differ, which proves that there were two transactions. */
export const areDistinct = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

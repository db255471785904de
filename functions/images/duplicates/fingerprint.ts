import { createHash } from 'node:crypto';
import type { Purchase } from '../validations/validation.ts';

/**
 * The same for two photographs of one receipt, and hardly for two receipts: store, minute and total. Undefined where one
 * of them is missing. The number of the transaction is left out, since one misread digit of it would make two of one.
 */
export function fingerprintOf({ store, date, time, total }: Purchase): string | undefined {
  if (store === undefined || date === undefined || time === undefined || total === undefined) return undefined;
  const name = store.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return createHash('sha256').update([name, date, time, total].join('\n')).digest('hex');
}

/** What tells apart receipts that look alike; undefined if it is not known for certain. */
export const contentOf = ({ date, total }: Purchase): string | undefined =>
  date === undefined || total === undefined ? undefined : `${date} ${total}`;

/** Whether the numbers of two transactions show that they are two: both are printed and differ. */
export const areDistinct = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

import { createHash } from 'node:crypto';
import type { Purchase } from '../validations/validation.ts';

/**
 * The digest of store, minute and total by which a purchase is recognised. Two photographs of one receipt have the same
 * fingerprint, and two receipts almost never do. Undefined if a part is missing. The transaction number is left out:
 * one misread digit would make one purchase look like two. `duplicate-images.ts` compares the pictures themselves.
 */
export function fingerprintOf({ store, date, time, total }: Purchase): string | undefined {
  if (store === undefined || date === undefined || time === undefined || total === undefined) return undefined;
  const name = store.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return createHash('sha256').update([name, date, time, total].join('\n')).digest('hex');
}

/** Day and total, which distinguish receipts that look alike; undefined if either is missing. */
export const dayAndTotal = ({ date, total }: Purchase): string | undefined =>
  date === undefined || total === undefined ? undefined : `${date} ${total}`;

/** True if both receipts print a transaction number and the numbers differ: then there were two purchases. */
export const areDistinct = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

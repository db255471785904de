import * as z from 'zod';
import { ItemRefusal } from '../items/item-refusal.ts';
import type { Options } from '../items/options.ts';
import { PRECISION_MAX, type RoundingOptions } from '../values/quantities/decimal.ts';

/** The members that every item may have beside its kind. The options supply those that it lacks. */
export const base = {
  precision: z
    .int()
    .optional()
    .meta({
      description: `Digits after the decimal point, 0 to ${PRECISION_MAX}. For a geohash, a plus code and MGRS: how long the code is.`,
    }),
  rounding: z.enum(['half-even', 'half-up', 'down']).optional(),
};

export interface Precise {
  readonly precision?: number | undefined;
  readonly rounding?: Options['rounding'] | undefined;
}

export interface Context {
  readonly options: Options;
  readonly now: number;
}

/** Returns how the numbers of an item are rounded. */
export function roundedBy(item: Precise, options: Options): RoundingOptions {
  return { precision: precisionOf(item) ?? options.precision, rounding: item.rounding ?? options.rounding };
}

export function precisionOf({ precision }: Precise): number | undefined {
  if (precision !== undefined && (precision < 0 || precision > PRECISION_MAX)) {
    throw new ItemRefusal('precision-out-of-range', `The precision is from 0 to ${PRECISION_MAX}.`, {
      pointer: '/precision',
    });
  }
  return precision;
}

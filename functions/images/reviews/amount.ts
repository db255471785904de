import * as z from 'zod';

/** The highest price or total that is accepted, in hundredths. */
const CENTS_MAX = 1_000_000_000_00;

/** An amount of an answer. */
export const AmountText = z.string().regex(/^-?\d+\.\d{2}$/);

/** Hundredths of a currency as decimal text: `3.05`. */
export function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * An amount in hundredths, parsed from decimal text or a JSON number: `3.5` and `"3.50"` are equal. Amounts are never
 * rounded.
 */
export const Amount = z
  .union(
    [
      z.string().max(20).meta({ pattern: '^\\d+(\\.\\d{1,2})?$' }),
      z.number().meta({ minimum: 0, maximum: CENTS_MAX / 100 }),
    ],
    'must be an amount: "3.50"',
  )
  .transform(String)
  .refine((text) => /^\d+(\.\d{1,2})?$/.test(text), 'must be an amount with at most two decimals: "3.50"')
  .transform((text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return Number(`${whole}${fraction.padEnd(2, '0')}`);
  })
  .refine((cents) => cents <= CENTS_MAX, `must be at most ${amountText(CENTS_MAX)}`);

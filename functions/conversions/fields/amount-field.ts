import { type Amount, type AmountContext, readAmount } from '../values/texts/amounts.ts';
import type { Reading } from '../values/texts/reading.ts';
import { type Context, isFree } from './context.ts';
import { MEMBERS, type Member } from './fields.ts';
import { readCurrency } from './value-kinds.ts';

/** The member that names the currency of an amount, or should name it. */
export interface CurrencyBeside {
  readonly name: string;
  readonly isFree: boolean;
  /** ISO 4217. Absent if none is stated, or if it cannot be read. */
  readonly code?: string;
}

/** The currency that an object states for an amount in it. */
export function currencyBeside({ currencies }: Member, valueOf: (name: string) => unknown): CurrencyBeside {
  const name = currencies.find((each) => !isFree(valueOf(each))) ?? currencies[0] ?? 'currency';
  const code = valueOf(name);
  const reading = typeof code === 'string' ? readCurrency(code) : undefined;
  return { name, isFree: isFree(code), ...(reading?.kind === 'read' && { code: reading.value }) };
}

export const readAmountBeside = (text: string, beside: CurrencyBeside, context: Context): Reading<Amount> =>
  readAmount(text, amountContext(beside, context));

/** The amount names a currency, and the object another one that cannot be read. */
export const isInUnknownCurrency = ({ currency }: Amount, { code, isFree }: CurrencyBeside): boolean =>
  currency !== undefined && code === undefined && !isFree;

/** The currency that one amount of an object names for the others, where the object itself names none. */
export function currencyAmong(
  { currencies }: Member,
  among: Readonly<Record<string, unknown>>,
  context: Context,
): string | undefined {
  for (const [name, value] of Object.entries(among)) {
    const member = MEMBERS.get(name);
    if (member?.kind !== 'amount' || !currencies.includes(member.currencies[0] ?? '')) continue;
    for (const text of [value].flat()) {
      const reading = typeof text === 'string' ? readAmount(text, amountContext(FREE, context)) : undefined;
      if (reading?.kind === 'read' && reading.value.currency !== undefined) return reading.value.currency;
    }
  }
  return undefined;
}

const FREE: CurrencyBeside = { name: '', isFree: true };

function amountContext(
  { code, isFree }: CurrencyBeside,
  { options, conventions, countries, statedCountry }: Context,
): AmountContext {
  return {
    decimalMark: conventions?.decimalMark,
    locale: conventions && options.locale,
    statedCurrency: code,
    assumedCurrency: isFree ? options.currency : undefined,
    localCurrency: statedCountry === undefined ? undefined : countries.of(statedCountry)?.currency,
  };
}

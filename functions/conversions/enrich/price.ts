import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import { type Currency, currencyOf } from '../values/countries/currencies.ts';
import { decimalOf, readDecimal, roundedText } from '../values/quantities/decimal.ts';
import { divide, type Rational } from '../values/quantities/rational.ts';
import { readAmount } from '../values/texts/amounts.ts';
import { conventionsOf } from '../values/texts/conventions.ts';
import { type FieldValue, textOf } from './record/fields.ts';
import { valueOf } from './record/measures.ts';
import type { Subject } from './record/subject.ts';

export interface Price {
  readonly amount: Rational;
  readonly currency: Currency;
}

export const writtenPrice = ({ fields }: Subject): FieldValue<string> | undefined => textOf(fields, 'price');

/** The price of a record. The amount may name its currency (`€1.299,00`), unless the record names another. */
export function priceOf(written: FieldValue<string>, { fields, options }: Subject): Price {
  const ownCurrency = textOf(fields, 'currency')?.value.toUpperCase();
  if (ownCurrency !== undefined) requiredCurrency(ownCurrency);
  if (readDecimal(written.value) !== 'not-a-number') {
    return { amount: decimalOf(written.value, 'price'), currency: requiredCurrency(ownCurrency ?? options.currency) };
  }
  const { locale, currency: assumed } = options;
  const { decimalMark } = conventionsOf(locale) ?? {};
  const { amount, currency } = valueOf(
    readAmount(written.value, { decimalMark, locale, statedCurrency: ownCurrency, assumedCurrency: assumed }),
  );
  return { amount: decimalOf(amount, 'price'), currency: requiredCurrency(currency) };
}

function requiredCurrency(code: string | undefined): Currency {
  if (code === undefined) {
    throw new ItemRefusal('unparseable-value', 'The price names no currency. Send one in currency, or in the options.');
  }
  const currency = currencyOf(code);
  if (currency) return currency;
  throw new ItemRefusal('unparseable-value', `There is no currency ${quoteForMessage(code)} in ISO 4217.`);
}

/** The price of one of `count` units, rounded to the minor units of the currency. */
export const priceOfOne = ({ amount, currency }: Price, count: Rational, { options }: Subject): string =>
  roundedText(divide(amount, count), currency.minorDigits, options.rounding);

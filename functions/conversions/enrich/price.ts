import { type Currency, currencyOf } from '../countries/currencies.ts';
import { ItemRefusal } from '../items/item-refusal.ts';
import { roundedText, shown } from '../quantities/decimal.ts';
import { divide, type Rational } from '../quantities/rational.ts';
import { type Found, textAt } from './record/fields.ts';
import { CURRENCY, PRICE } from './record/known-fields.ts';
import { numberIn } from './record/measures.ts';
import type { Subject } from './record/subject.ts';

export interface Price {
  readonly amount: Rational;
  readonly currency: Currency;
}

export const writtenPrice = ({ fields }: Subject): Found<string> | undefined => textAt(fields, PRICE);

export function priceOf(written: Found<string>, { fields, options }: Subject): Price {
  const code = textAt(fields, CURRENCY)?.value.toUpperCase() ?? options.currency;
  if (code === undefined) {
    throw new ItemRefusal('unparseable-value', 'The price names no currency. Send one in currency, or in the options.');
  }
  const currency = currencyOf(code);
  if (currency === undefined) {
    throw new ItemRefusal('unparseable-value', `There is no currency ${shown(code)} in ISO 4217.`);
  }
  return { amount: numberIn(written.value, 'price', options.locale), currency };
}

/** What one of so many costs, rounded to what the currency can pay. */
export const priceOfOne = ({ amount, currency }: Price, count: Rational, { options }: Subject): string =>
  roundedText(divide(amount, count), currency.minorDigits, options.rounding);

import * as z from 'zod';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import { Numeric } from '../items/numeric.ts';
import { type Currency, currencyOf } from '../values/countries/currencies.ts';
import { decimalOf, exactOrFraction, formatExact } from '../values/quantities/decimal.ts';
import { conversionOf } from '../values/quantities/quantity.ts';
import { compare, divide, multiply, ONE, type Rational, ZERO } from '../values/quantities/rational.ts';
import { unitOf, unitPair } from '../values/quantities/unit-lookup.ts';
import { base, type Context, roundedBy } from './item-base.ts';

const CurrencyCode = z
  .string()
  .min(1)
  .max(20)
  .meta({ description: 'ISO 4217.', examples: ['EUR'] });
const UnitName = z.string().min(1).max(60);

export const MoneyItem = z.strictObject({
  kind: z.literal('money'),
  value: Numeric.meta({ description: 'The amount in major units.', examples: ['19.99'] }),
  from: CurrencyCode,
  to: CurrencyCode,
  rate: Numeric.meta({ description: 'How much of `to` one unit of `from` is worth.', examples: ['0.9215'] }),
  ...base,
});

/** Without a precision the result is rounded to the minor units of the target currency. */
export function convertMoneyItem(item: z.output<typeof MoneyItem>, { options }: Context) {
  const [from, to] = [knownCurrency(item.from), knownCurrency(item.to)];
  const rate = positive(item.rate, 'rate');
  if (from === to && compare(rate, ONE) !== 0) {
    throw new ItemRefusal('unparseable-value', `${from.code} to ${to.code} has the rate 1.`, { pointer: '/rate' });
  }
  const { precision = to.minorDigits, rounding } = roundedBy(item, options);
  return {
    ...formatExact(multiply(decimalOf(item.value), rate), { precision, rounding }),
    currency: to.code,
    factor: exactOrFraction(rate),
  };
}

export const UnitPriceItem = z.strictObject({
  kind: z.literal('unitPrice'),
  value: Numeric.meta({ description: 'The price of one `per`, in major units.', examples: ['3.99'] }),
  currency: CurrencyCode,
  per: UnitName.meta({ description: 'The unit that the price is for.', examples: ['lb'] }),
  toCurrency: CurrencyCode.optional().meta({ description: 'Default: the same currency.' }),
  toPer: UnitName.optional().meta({ description: 'Default: the same unit.', examples: ['kg'] }),
  rates: z
    .record(z.string().max(20), Numeric)
    .optional()
    .meta({
      description:
        'How much of each currency one unit of a common base is worth. A currency that is not listed is that base, so {"EUR": "0.92"} converts USD to EUR at 0.92.',
      examples: [{ EUR: '0.92' }],
    }),
  ...base,
});

/**
 * A price per unit falls when the unit gets smaller, so the factor of the units divides where that of quantities
 * multiplies.
 */
export function convertUnitPriceItem(item: z.output<typeof UnitPriceItem>, { options }: Context) {
  const from = knownCurrency(item.currency);
  const to = item.toCurrency === undefined ? from : knownCurrency(item.toCurrency);
  const [per, toPer] = item.toPer === undefined ? [unitOf(item.per), unitOf(item.per)] : unitPair(item.per, item.toPer);
  const conversion = conversionOf(per, toPer);
  if (per.zero !== toPer.zero || conversion.reciprocal || conversion.approximate) {
    throw new ItemRefusal('unsupported-conversion', `A price per ${per.code} has no price per ${toPer.code}.`);
  }
  const factor = divide(rateOf(from, to, item.rates ?? {}), conversion.factor);
  const { precision = to.minorDigits, rounding } = roundedBy(item, options);
  return {
    ...formatExact(multiply(decimalOf(item.value), factor), { precision, rounding }),
    currency: to.code,
    per: toPer.code,
    factor: exactOrFraction(factor),
  };
}

function rateOf(from: Currency, to: Currency, rates: Readonly<Record<string, string>>): Rational {
  if (from === to) return ONE;
  const listed = new Map(Object.entries(rates).map(([code, rate]) => [knownCurrency(code), positive(rate, 'rate')]));
  if (!listed.has(from) && !listed.has(to)) {
    throw new ItemRefusal('unsupported-conversion', `${from.code} to ${to.code} needs a rate. Send it in rates.`, {
      pointer: '/rates',
    });
  }
  return divide(listed.get(to) ?? ONE, listed.get(from) ?? ONE);
}

function knownCurrency(code: string): Currency {
  const currency = currencyOf(code.trim().toUpperCase());
  if (currency) return currency;
  throw new ItemRefusal(
    'unknown-unit',
    `There is no currency ${quoteForMessage(code)}. Write its ISO 4217 code, such as EUR.`,
  );
}

function positive(text: string, what: string): Rational {
  const value = decimalOf(text, what);
  if (compare(value, ZERO) > 0) return value;
  throw new ItemRefusal('unparseable-value', `The ${what} must be above 0.`);
}

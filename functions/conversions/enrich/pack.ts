import { ItemRefusal } from '../items/item-refusal.ts';
import { decimalText } from '../values/quantities/decimal.ts';
import { convertQuantity } from '../values/quantities/quantity.ts';
import { multiply, type Rational, rational } from '../values/quantities/rational.ts';
import { unitOf } from '../values/quantities/unit-lookup.ts';
import type { Measure } from '../values/texts/measures.ts';
import { priceOf, priceOfOne, writtenPrice } from './price.ts';
import { measureIn, measureOf, writtenMeasures } from './record/measures.ts';
import { attempt, type Derivation, NOTHING, type Subject, together, unresolvedAt } from './record/subject.ts';

/** The unit in which shops must show prices, by dimension. */
const PRICED_BY = { mass: 'kg', volume: 'L', length: 'm', area: 'm2' } as const;
const DIMENSIONS = Object.keys(PRICED_BY) as (keyof typeof PRICED_BY)[];

const CHARACTERS_MAX = 100;
const COUNT_FIRST = /^(\d{1,6})\s?[x×*]\s?(?=[\d.,])/iu;
const COUNT_LAST = /(?<=\p{L})\s?[x×*]\s?(\d{1,6})$/iu;
/** Splits `4 x 6 x 330 ml`, a case of four packs. */
const COUNTS_MAX = 3;

interface Pack {
  readonly count: Rational;
  readonly each: Measure;
}

/** Derives the quantity of a product, and its price per kilogram or litre. */
export function packOf(subject: Subject): Derivation {
  const problems: Derivation[] = [];
  for (const { path, ...written } of writtenMeasures(subject.fields, 'quantity')) {
    try {
      const pack = packIn(written, subject.options.locale);
      return together([shownPack(pack, subject), unitPrice(pack, subject)]);
    } catch (error) {
      // These fields also hold sizes such as XL, or stock counts, so only a text that is nearly a measure is reported.
      const problem = unresolvedAt(path, error);
      if (problem.code === 'ambiguous-value') problems.push({ enrichment: {}, unresolved: [problem] });
    }
  }
  return problems[0] ?? NOTHING;
}

function packIn({ value, unit }: { readonly value: string; readonly unit?: string }, locale: string | undefined): Pack {
  if (value.length > CHARACTERS_MAX) throw new ItemRefusal('unparseable-value', 'The text is too long for a measure.');
  let [count, rest] = [1n, value.replace(/\s+/g, ' ')];
  const take = (pattern: RegExp) => {
    const [written, digits] = pattern.exec(rest) ?? [];
    if (written === undefined || digits === undefined) return false;
    count *= BigInt(digits);
    rest = rest.replace(pattern, '');
    return true;
  };
  let counts = 0;
  while (counts < COUNTS_MAX && take(COUNT_FIRST)) counts++;
  if (counts === 0) take(COUNT_LAST);
  const dimension = unit === undefined ? undefined : pricedDimension(unit);
  const each =
    dimension === undefined
      ? measureIn(rest, DIMENSIONS, locale)
      : measureOf({ value: rest, ...(unit !== undefined && { unit }) }, dimension, locale);
  if (count === 0n || each.value.numerator <= 0n) throw new ItemRefusal('unparseable-value', 'A pack holds something.');
  return { count: rational(count), each };
}

type PricedDimension = keyof typeof PRICED_BY;

function pricedDimension(code: string): PricedDimension {
  const { dimension } = unitOf(code);
  const priced = DIMENSIONS.find((each) => each === dimension);
  if (priced) return priced;
  throw new ItemRefusal('incompatible-units', `Nothing is sold by ${dimension}.`);
}

function shownPack({ count, each }: Pack, { options }: Subject): Derivation {
  const { code } = each.unit;
  const text = (value: Rational) => decimalText(value, { rounding: options.rounding });
  const total = multiply(each.value, count);
  const pack = {
    count: text(count),
    each: { value: text(each.value), unit: code },
    total: { value: text(total), unit: code },
  };
  return { enrichment: { pack } };
}

function unitPrice({ count, each }: Pack, subject: Subject): Derivation {
  const written = writtenPrice(subject);
  if (written === undefined) return NOTHING;
  return attempt(written.path, () => {
    const price = priceOf(written, subject);
    const per = PRICED_BY[pricedDimension(each.unit.code)];
    const total = convertQuantity(multiply(each.value, count), each.unit, unitOf(per));
    const value = priceOfOne(price, total, subject);
    return { enrichment: { unitPrice: { value, currency: price.currency.code, per } } };
  });
}

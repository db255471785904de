import { ItemRefusal } from '../items/item-refusal.ts';
import { decimalText } from '../values/quantities/decimal.ts';
import { convertQuantity } from '../values/quantities/quantity.ts';
import type { Rational } from '../values/quantities/rational.ts';
import { unitOf } from '../values/quantities/unit-lookup.ts';
import type { Measure } from '../values/texts/measures.ts';
import { priceOf, priceOfOne, writtenPrice } from './price.ts';
import { measureOf, writtenMeasures } from './record/measures.ts';
import { attempt, type Derivation, NOTHING, type Subject, together } from './record/subject.ts';

const PLACES = 2;

/** Derives the area of a property in both systems, and the price of one unit of it. */
export function areaOf(subject: Subject): Derivation {
  const [written] = writtenMeasures(subject.fields, 'area');
  if (written === undefined) return NOTHING;
  const { options } = subject;
  return attempt(written.path, () => {
    const area = measureOf(written, 'area', options.locale);
    if (area.value.numerator <= 0n) throw new ItemRefusal('unparseable-value', 'An area is greater than zero.');
    const [m2, ft2] = [areaIn(area, 'm2'), areaIn(area, 'ft2')];
    const textIn = (value: Rational, code: string) => {
      const places = area.unit.code === code ? {} : { precision: options.precision ?? PLACES };
      return decimalText(value, { ...places, rounding: options.rounding });
    };
    return together([
      { enrichment: { area: { m2: textIn(m2, 'm2'), ft2: textIn(ft2, 'ft2') } } },
      pricePerArea(subject, { m2, ft2 }),
    ]);
  });
}

const areaIn = ({ value, unit }: Measure, code: string): Rational => convertQuantity(value, unit, unitOf(code));

function pricePerArea(subject: Subject, { m2, ft2 }: { readonly m2: Rational; readonly ft2: Rational }): Derivation {
  const written = writtenPrice(subject);
  if (written === undefined) return NOTHING;
  return attempt(written.path, () => {
    const price = priceOf(written, subject);
    const per = (area: Rational) => priceOfOne(price, area, subject);
    return { enrichment: { pricePer: { m2: per(m2), ft2: per(ft2) } } };
  });
}

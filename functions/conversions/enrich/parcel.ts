import { namesOf, unitNameOf } from '../fields/fields.ts';
import type { JsonObject } from '../items/caller-record.ts';
import { ItemRefusal } from '../items/item-refusal.ts';
import { roundedText } from '../values/quantities/decimal.ts';
import { convertQuantity } from '../values/quantities/quantity.ts';
import { divide, multiply, ONE, type Rational, rational } from '../values/quantities/rational.ts';
import { unitOf } from '../values/quantities/unit-lookup.ts';
import { textAt } from './record/fields.ts';
import { measureOf } from './record/measures.ts';
import { attempt, type Derivation, NOTHING, type Subject } from './record/subject.ts';

/** The volume that most carriers count as one kilogram. */
const CM3_PER_KG = 5_000n;
const PLACES = 2;
const CHARACTERS_MAX = 200;

/** Derives the volumetric weight, which carriers charge for a parcel that is large for its weight. */
export function parcelOf({ fields, options }: Subject): Derivation {
  const measure = writtenLengths(fields);
  if (measure === undefined) return NOTHING;
  return attempt(measure.path, () => {
    const cm3 = measure.lengths.map((length) => centimetres(length, options.locale)).reduce(multiply, ONE);
    const kilograms = divide(cm3, rational(CM3_PER_KG));
    const kg = roundedText(kilograms, options.precision ?? PLACES, options.rounding);
    return { enrichment: { volumetricWeight: { kg, cm3PerKg: String(CM3_PER_KG) } } };
  });
}

interface Length {
  readonly value: string;
  readonly unit?: string;
}

function centimetres(length: Length, locale: string | undefined): Rational {
  const { value, unit } = measureOf(length, 'length', locale);
  if (value.numerator > 0n) return convertQuantity(value, unit, unitOf('cm'));
  throw new ItemRefusal('unparseable-value', 'Length, width and height are greater than zero.');
}

/** The three lengths; undefined if the record has none, or another number of them. */
function writtenLengths(
  fields: JsonObject,
): { readonly path: string; readonly lengths: readonly Length[] } | undefined {
  for (const name of namesOf('dimensions')) {
    const text = textAt(fields, [[name]]);
    const lengths = text ? lengthsOf(text.value, textAt(fields, [[unitNameOf(name)]])?.value) : lengthsIn(fields, name);
    if (lengths) return { path: `/${name}`, lengths };
  }
  return undefined;
}

function lengthsIn(fields: JsonObject, dimensions: string): readonly Length[] | undefined {
  const unit = textAt(fields, [[dimensions, 'unit']])?.value;
  const lengths = ['length', 'width', 'height'].flatMap((name) => textAt(fields, [[dimensions, name]])?.value ?? []);
  return lengths.length === 3 ? lengths.map((value) => lengthOf(value, unit)) : undefined;
}

/** Splits `30 x 20 x 10 cm`, also with a unit behind each number. */
function lengthsOf(text: string, unit: string | undefined): readonly Length[] | undefined {
  if (text.length > CHARACTERS_MAX) return undefined;
  const parts = text.split(/[x×*]/i).map((part) => part.trim());
  if (parts.length !== 3) return undefined;
  const last = unit ?? /[\p{L}"'″′]+\.?$/u.exec(parts[2] ?? '')?.[0];
  return parts.map((part) => lengthOf(part, last));
}

/** A unit behind a value applies to that value alone. */
const lengthOf = (value: string, unit: string | undefined): Length =>
  unit === undefined || /[\p{L}"'″′]/u.test(value) ? { value } : { value, unit };

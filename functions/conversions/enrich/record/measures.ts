import { type Place, placesOf, unitNameOf } from '../../fields/fields.ts';
import type { JsonObject } from '../../items/caller-record.ts';
import { ItemRefusal } from '../../items/item-refusal.ts';
import { decimalOf, readDecimal } from '../../values/quantities/decimal.ts';
import type { Rational } from '../../values/quantities/rational.ts';
import type { Dimension } from '../../values/quantities/unit-definition.ts';
import { unitOf } from '../../values/quantities/unit-lookup.ts';
import { conventionsOf } from '../../values/texts/conventions.ts';
import { type Measure, readMeasure } from '../../values/texts/measures.ts';
import type { Reading } from '../../values/texts/reading.ts';
import { readNumber } from '../../values/texts/written-numbers.ts';
import { type FieldValue, textAt } from './fields.ts';

/** The value of a reading, or a refusal that says why the text cannot be read. */
export function valueOf<T>(reading: Reading<T>): T {
  if (reading.kind === 'read') return reading.value;
  if (reading.kind === 'unreadable') throw new ItemRefusal('unparseable-value', reading.detail);
  throw new ItemRefusal('ambiguous-value', reading.detail, { candidates: reading.candidates });
}

/**
 * A number of a record: plain decimal text as this service writes it, or else a number in the format of the given
 * locale.
 */
function numberIn(text: string, what: string, locale: string | undefined): Rational {
  if (readDecimal(text) !== 'not-a-number') return decimalOf(text, what);
  return decimalOf(valueOf(readNumber(text, conventionsOf(locale)?.decimalMark)), what);
}

/** A measure that is written as one text. */
export const measureIn = (text: string, dimensions: readonly Dimension[], locale: string | undefined): Measure =>
  valueOf(readMeasure(text, dimensions, conventionsOf(locale)?.decimalMark));

/** A field that holds measures, of which several may be tried. */
type MeasureField = 'area' | 'quantity';

const measurePlaces = (field: MeasureField): readonly (readonly [value: Place, unit: Place])[] =>
  placesOf(field).flatMap((place) => [
    [
      [...place, 'value'],
      [...place, 'unit'],
    ],
    [place, [...place.slice(0, -1), unitNameOf(place.at(-1) ?? '')]],
  ]);
const MEASURES = { area: measurePlaces('area'), quantity: measurePlaces('quantity') };

/** The unparsed measures in a field of a record. The unit is absent where the text should name it. */
export function writtenMeasures(
  fields: JsonObject,
  field: MeasureField,
): (FieldValue<string> & { readonly unit?: string })[] {
  return MEASURES[field].flatMap(([valuePlace, unitPlace]) => {
    const value = textAt(fields, [valuePlace]);
    if (value === undefined) return [];
    const unit = textAt(fields, [unitPlace])?.value;
    return [unit === undefined ? value : { ...value, unit }];
  });
}

export function measureOf(
  { value, unit }: { readonly value: string; readonly unit?: string },
  dimension: Dimension,
  locale: string | undefined,
): Measure {
  if (unit === undefined) return measureIn(value, [dimension], locale);
  const namedUnit = unitOf(unit, [dimension]);
  if (namedUnit.dimension === dimension) return { value: numberIn(value, dimension, locale), unit: namedUnit };
  throw new ItemRefusal('incompatible-units', `${namedUnit.code} measures ${namedUnit.dimension}, not ${dimension}.`);
}

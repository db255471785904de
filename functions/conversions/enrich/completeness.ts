import { type FieldName, type Place, placesOf, WEIGHTS } from '../fields/fields.ts';
import type { JsonObject, RecordType } from '../items/caller-record.ts';
import { isFilled, valueAt } from './record/fields.ts';
import { POINTS } from './record/points.ts';

export interface Completeness {
  readonly completeness: number;
  /** JSON pointers of the expected fields that are missing. */
  readonly missing: string[];
}

/**
 * The weight of the fields that a record has, in percent of all expected ones. Rounded down: 100 means that nothing is
 * missing.
 */
export function completenessOf(type: RecordType, fields: JsonObject): Completeness {
  const weights = Object.entries(WEIGHTS[type]) as [FieldName, number][];
  const missing = weights.filter(([field]) => !hasField(fields, field, type));
  const [all, absent] = [sumOf(weights), sumOf(missing)];
  return { completeness: Math.floor(((all - absent) * 100) / all), missing: missing.map(([field]) => `/${field}`) };
}

const sumOf = (weights: readonly [FieldName, number][]) => weights.reduce((sum, [, weight]) => sum + weight, 0);

function hasField(fields: JsonObject, field: FieldName, type: RecordType): boolean {
  if (field === 'lat') return holdsPoint(fields);
  if (field === 'address') return holdsAddress(fields) || (type === 'property' && holdsPoint(fields));
  return holdsAny(fields, placesOf(field));
}

const holdsAny = (fields: JsonObject, places: readonly Place[]): boolean =>
  places.some((place) => isFilled(valueAt(fields, place)?.value));

const holdsPoint = (fields: JsonObject): boolean =>
  POINTS.some(({ latitudes, longitudes }) => holdsAny(fields, latitudes) && holdsAny(fields, longitudes));

/** A street alone is not an address. */
const LOCALITIES = [...placesOf('city'), ...placesOf('postalCode')];
const holdsAddress = (fields: JsonObject): boolean => holdsAny(fields, [['address']]) && holdsAny(fields, LOCALITIES);

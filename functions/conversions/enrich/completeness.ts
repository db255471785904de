import type { JsonObject, RecordType } from '../items/stated-record.ts';
import { isFilled, valueAt } from './record/fields.ts';
import { BRAND, COUNTRY, CURRENCY, GTIN, NAME, PHONE, POINT, PRICE, WEB } from './record/known-fields.ts';

/** What a good record of a type holds. */
interface Expectation {
  /** The name by which `missing` calls it: a JSON pointer. */
  readonly path: string;
  readonly weight: number;
  /** It is there when all places of any one line are filled. */
  readonly anyOf: readonly (readonly string[])[];
}

const oneOf = (paths: readonly string[]): readonly (readonly string[])[] => paths.map((path) => [path]);
const ADDRESS = [
  ['/address', '/city'],
  ['/address', '/postalCode'],
  ['/address', '/postcode'],
  ['/address/city'],
  ['/address/postalCode'],
];

/**
 * Weight 2 has what a record is of little use without: its name, what identifies it beyond doubt, and where it is. The
 * weights of a type are few and small on purpose, so that a caller can check a figure by hand.
 */
const EXPECTED: Readonly<Record<RecordType, readonly Expectation[]>> = {
  business: [
    { path: '/name', weight: 2, anyOf: oneOf(NAME) },
    { path: '/address', weight: 2, anyOf: ADDRESS },
    { path: '/country', weight: 1, anyOf: oneOf(COUNTRY) },
    { path: '/lat', weight: 1, anyOf: POINT },
    { path: '/phone', weight: 1, anyOf: oneOf([...PHONE, '/phones']) },
    { path: '/website', weight: 1, anyOf: oneOf([...WEB, '/websites', '/domains']) },
    { path: '/categories', weight: 1, anyOf: oneOf(['/categories', '/category', '/primaryCategories']) },
    { path: '/hours', weight: 1, anyOf: oneOf(['/hours', '/openingHours']) },
  ],
  product: [
    { path: '/name', weight: 2, anyOf: oneOf(NAME) },
    { path: '/gtin', weight: 2, anyOf: oneOf(GTIN) },
    { path: '/brand', weight: 1, anyOf: oneOf(BRAND) },
    { path: '/price', weight: 1, anyOf: oneOf(PRICE) },
    { path: '/currency', weight: 1, anyOf: oneOf(CURRENCY) },
    { path: '/categories', weight: 1, anyOf: oneOf(['/categories', '/category']) },
    { path: '/description', weight: 1, anyOf: oneOf(['/description', '/descriptions']) },
    { path: '/imageURLs', weight: 1, anyOf: oneOf(['/imageURLs', '/image', '/images']) },
  ],
  property: [
    { path: '/price', weight: 1, anyOf: oneOf(PRICE) },
    { path: '/currency', weight: 1, anyOf: oneOf(CURRENCY) },
    { path: '/area', weight: 1, anyOf: oneOf(['/area', '/floorSizeValue', '/livingArea']) },
    { path: '/address', weight: 2, anyOf: [...ADDRESS, ...POINT] },
    { path: '/beds', weight: 1, anyOf: oneOf(['/beds', '/bedrooms', '/numBedroom']) },
    { path: '/baths', weight: 1, anyOf: oneOf(['/baths', '/bathrooms', '/numBathroom']) },
    { path: '/yearBuilt', weight: 1, anyOf: oneOf(['/yearBuilt', '/builtIn']) },
  ],
};

export interface Completeness {
  readonly completeness: number;
  readonly missing: string[];
}

/** The weight of what a record holds, in percent of all that is expected. Rounded down: 100 means that nothing is missing. */
export function completenessOf(type: RecordType, fields: JsonObject): Completeness {
  const expected = EXPECTED[type];
  const missing = expected.filter(({ anyOf }) => !anyOf.some((paths) => paths.every(holds(fields))));
  const [all, absent] = [weightOf(expected), weightOf(missing)];
  return { completeness: Math.floor(((all - absent) * 100) / all), missing: missing.map(({ path }) => path) };
}

const holds = (fields: JsonObject) => (path: string) => isFilled(valueAt(fields, path));

const weightOf = (expectations: readonly Expectation[]) => expectations.reduce((sum, { weight }) => sum + weight, 0);

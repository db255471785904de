import type { Dimension } from '../knowledge/quantities/unit-definition.ts';

/**
 * What a field holds. The routes run through the fields of a record in this order: amounts follow the currency, names and
 * addresses follow all that they depend on.
 */
export const KINDS = [
  'phone',
  'email',
  'web',
  /** An address of a picture or source: judged, but compared as it is, so never rewritten. */
  'link',
  'host',
  'country',
  /** A date of something that has happened. */
  'past',
  'date',
  /** A trade number whose canonical form is the GTIN-14. */
  'gtin',
  /** A trade number that keeps its own length, such as `upc`. */
  'trade-number',
  'isbn',
  'baths',
  'beds',
  'rooms',
  'currency',
  'amount',
  /** A number with its unit, in one text or in an object of `value` and `unit`. */
  'measure',
  'unit',
  /** The number of a measure whose unit stands in a field of its own. */
  'measure-value',
  'latitude',
  'longitude',
  'year',
  'count',
  'number',
  'flag',
  'postcode',
  'legal-form',
  'text',
  /** A text that is judged, but not rewritten: keys, and texts of several lines. */
  'verbatim',
  'name',
  'address',
  /** Objects, or lists of objects. */
  'objects',
  /** Of many forms, so that only enrichment looks at it. */
  'any',
] as const;
export type Kind = (typeof KINDS)[number];

/** What one field of a record is called, where it stands, and what it holds. A list holds values of the same kind. */
export interface Field {
  readonly kind: Kind;
  /** Its other names, most usual first. */
  readonly aliases?: readonly string[];
  /** The containers in which enrichment looks for it; the empty name is the record itself. @default the record */
  readonly within?: readonly string[];
  /** Fields that say the same in another form, where this one is absent. */
  readonly or?: readonly string[];
  /** What the measure or unit may be one of. */
  readonly dimensions?: readonly Dimension[];
  /** The member that names the unit of a measure. @default its own name with `Unit` behind */
  readonly unit?: string;
  /** The fields that name the currency of an amount. The first is the one to add. */
  readonly currencies?: readonly string[];
  /** A buyer pays this amount, so it gets minor units. */
  readonly isPrice?: boolean;
  /** Objects in it are containers: parts of what they stand in, whose country is the same, or things of their own. */
  readonly container?: 'part' | 'own';
  /** Fields that only such a container holds, or that mean something else in it. */
  readonly holds?: Fields;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * How much each field counts for the completeness of a record. Weight 2 has what a record is of little use without: its name,
 * what identifies it beyond doubt, and where it is. The weights are few and small, so that a caller can check a figure by hand.
 */
export type Weights = Readonly<Record<string, number>>;

export const names = (text: string): readonly string[] => text.split(/\s+/);

/** Several fields that hold the same kind of value. */
export const each = <Name extends string>(field: Field, ...all: readonly Name[]): Readonly<Record<Name, Field>> =>
  Object.fromEntries(all.map((name) => [name, field])) as Record<Name, Field>;

/** What an amount is called in an object that holds it with its currency. */
export const AMOUNT_NAMES = ['amount', 'value'] as const;

const amountOf = (isPrice: boolean): Field => ({
  kind: 'amount',
  isPrice,
  container: 'own',
  holds: each({ kind: 'amount', isPrice }, ...AMOUNT_NAMES),
});

export const price = amountOf(true);
/** An amount that is a bound or a sum. */
export const amount = amountOf(false);

export const measure = (...dimensions: readonly Dimension[]): Field => ({ kind: 'measure', dimensions });
export const measureValue = (dimension: Dimension, unit: string): Field => ({
  kind: 'measure-value',
  dimensions: [dimension],
  unit,
});

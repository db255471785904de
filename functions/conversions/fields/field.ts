import type { Dimension } from '../values/quantities/unit-definition.ts';

/**
 * The kinds of values. The routes process the fields of a record in this order: amounts follow the currency, and names
 * and addresses follow everything that they depend on.
 */
export const KINDS = [
  'phone',
  'email',
  'web',
  /** An address of a picture or source: judged, but compared as it is, so never rewritten. */
  'link',
  'host',
  'country',
  /** The date of a past event. */
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
  /** The number of a measure whose unit is in another field. */
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
  /** A value of many forms, which only enrichment reads. */
  'any',
] as const;
export type Kind = (typeof KINDS)[number];

/** A field of a record: its names, its places and its kind. A list holds values of the same kind. */
export interface Field {
  readonly kind: Kind;
  /** Alternative names, most usual first. */
  readonly aliases?: readonly string[];
  /** The containers that enrichment searches; the empty name is the record itself. @default the record */
  readonly within?: readonly string[];
  /** Alternative fields with the same meaning in another form, used if this one is absent. */
  readonly or?: readonly string[];
  /** The allowed dimensions of the measure or unit. */
  readonly dimensions?: readonly Dimension[];
  /** The member that names the unit of a measure. @default its own name followed by `Unit` */
  readonly unit?: string;
  /** The fields that name the currency of an amount. The first is the one to add. */
  readonly currencies?: readonly string[];
  /** True if a buyer pays this amount, so it gets minor units. */
  readonly isPrice?: boolean;
  /** The container kind of the objects: parts of the surrounding object, with the same country, or independent things. */
  readonly container?: 'part' | 'own';
  /** Fields that only such a container holds, or that have another meaning in it. */
  readonly holds?: Fields;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * The weight of each field in the completeness of a record. Weight 2 is for fields without which a record is of little
 * use: its name, its unambiguous identifiers, and its location. The weights are few and small, so that a caller can
 * verify a figure by hand.
 */
export type Weights = Readonly<Record<string, number>>;

export const names = (text: string): readonly string[] => text.split(/\s+/);

/** Several fields that hold the same kind of value. */
export const each = <Name extends string>(field: Field, ...all: readonly Name[]): Readonly<Record<Name, Field>> =>
  Object.fromEntries(all.map((name) => [name, field])) as Record<Name, Field>;

/** The names of an amount in an object that holds it with its currency. */
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

/** The record schemas as data: they drive validation, the index, the views and the field check of queries. */

export const RECORD_TYPES = ['businesses', 'products', 'properties'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export const isRecordType = (name: string): name is RecordType => (RECORD_TYPES as readonly string[]).includes(name);

/**
 * The way in which a value is stored and searched. `text` is searched by its words, `keyword` by its whole value
 * without case, `date` and `number` by value and range, `boolean` holds the strings "true" and "false".
 */
export type ValueKind = 'text' | 'keyword' | 'date' | 'number' | 'boolean';

export interface ValueField {
  readonly kind: ValueKind;
  /** True if the field holds an array of values. @default false */
  readonly list?: true;
  /** The largest magnitude of a number. @default any */
  readonly limit?: number;
  /** True if terms without a field name search this field. @default false */
  readonly searchedByDefault?: true;
  /** The weight of a word in the field where matches are ranked. @default 1 */
  readonly weight?: number;
  /** True if the field names the record: whose title is the whole query comes first. @default false */
  readonly isTitle?: true;
}

/** An array of objects. Each sub-field is searched over all elements together. */
export interface ObjectField {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, ValueField>>;
}

export interface RecordSchema {
  readonly type: RecordType;
  /** The name in "… does not exist in <singular> schema". */
  readonly singular: 'business' | 'product' | 'property';
  /** The fields in the order of the full view, `id` included. */
  readonly fields: Readonly<Record<string, ValueField | ObjectField>>;
}

export type Scalar = string | number;
export type RecordValue = Scalar | readonly Scalar[] | readonly Readonly<Record<string, Scalar | readonly Scalar[]>>[];

/** A valid record: only members of its schema, none of them empty, `id` always present. */
export type DataRecord = { readonly id: string } & Readonly<Record<string, RecordValue>>;

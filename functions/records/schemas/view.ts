import type { DataRecord, RecordSchema, RecordType, RecordValue } from './schema.ts';
import { SCHEMAS } from './schemas.ts';

/** A choice of fields and how CSV lays them out. In JSON every view keeps arrays as arrays. */
export interface View {
  readonly name: string;
  readonly type: RecordType;
  /** The fields in order, without `id`, which is last in JSON and first in CSV. */
  readonly fields: readonly string[];
  /** True if the view includes whole records, so that their stored JSON text can be used unchanged. */
  readonly keepsAll: boolean;
  readonly layout: Layout;
  /** The CSV columns after `id`. */
  readonly columns: readonly Column[];
}

export type Layout =
  /** One row per record, a field with several values in one cell. */
  | { readonly kind: 'nested' }
  /** One row per element of one field, whose columns are `from` to before `until`; the other values are repeated. */
  | { readonly kind: 'flat'; readonly field: string; readonly from: number; readonly until: number }
  /** A record has one row for each element of its longest array; single values are repeated. */
  | { readonly kind: 'spread' };

export interface Column {
  readonly header: string;
  readonly field: string;
  /** The sub-field, when the elements of an object field have columns of their own. */
  readonly sub?: string;
}

export function viewNamed(type: RecordType, name: string): View | undefined {
  const view = BY_NAME.get(name);
  return view?.type === type ? view : undefined;
}

/** The full view, the default of calls that name none. */
export function defaultView(type: RecordType): View {
  return FULL[type];
}

/** The members of the view that the record has, in view order, `id` last. */
export function projectJson(record: DataRecord, view: View): Readonly<Record<string, RecordValue>> {
  const projected: Record<string, RecordValue> = {};
  for (const name of view.fields) {
    const value = record[name];
    if (value !== undefined) projected[name] = value;
  }
  projected['id'] = record.id;
  return projected;
}

const BUSINESS_BASICS = [
  'address',
  'city',
  'country',
  'keys',
  'latitude',
  'longitude',
  'name',
  'postalCode',
  'province',
  'sourceURLs',
  'websites',
] as const;

const PRODUCT_BASICS = ['brand', 'categories', 'manufacturer', 'name', 'sourceURLs'] as const;

const FULL: Readonly<Record<RecordType, View>> = {
  businesses: spread('businesses'),
  products: spread('products'),
  properties: spread('properties'),
};

export const VIEWS: readonly View[] = [
  FULL.businesses,
  nested('businesses', 'businesses_all_nested'),
  nested('businesses', 'businesses_all_nested_no_reviews', without('businesses', 'reviews')),
  flat('businesses', 'businesses_all_menusFlat', 'menus'),
  flat('businesses', 'businesses_all_reviewsFlat', 'reviews'),
  nested('businesses', 'businesses_basic', BUSINESS_BASICS),
  FULL.products,
  nested('products', 'products_all_nested'),
  // The older name of the view above.
  nested('products', 'products_multiValuedFieldsNested'),
  flat('products', 'products_basicFields', 'sourceURLs', PRODUCT_BASICS),
  flat('products', 'products_pricesFlat', 'prices'),
  flat('products', 'products_reviewsFlat', 'reviews'),
  nested('products', 'products_keysSourceURLs', ['keys', 'sourceURLs']),
  FULL.properties,
  nested('properties', 'properties_all_nested'),
];

const BY_NAME: ReadonlyMap<string, View> = new Map(VIEWS.map((view) => [view.name, view]));

function spread(type: RecordType): View {
  return view(type, `${type}_all`, { kind: 'spread' }, allFields(type));
}

function nested(type: RecordType, name: string, fields: readonly string[] = allFields(type)): View {
  return view(type, name, { kind: 'nested' }, fields);
}

function flat(type: RecordType, name: string, field: string, fields: readonly string[] = allFields(type)): View {
  const from = fields.indexOf(field);
  const until = from + columnsOf(SCHEMAS[type], field).length;
  return view(type, name, { kind: 'flat', field, from, until }, fields);
}

function view(type: RecordType, name: string, layout: Layout, fields: readonly string[]): View {
  const columns = fields.flatMap((field) => {
    const isOpen = layout.kind === 'spread' || (layout.kind === 'flat' && layout.field === field);
    return isOpen ? columnsOf(SCHEMAS[type], field) : [{ header: field, field }];
  });
  return { name, type, fields, keepsAll: fields.length === allFields(type).length, layout, columns };
}

/** One column, or one for each sub-field. */
function columnsOf(schema: RecordSchema, field: string): Column[] {
  const definition = schema.fields[field];
  return definition?.kind === 'object'
    ? Object.keys(definition.fields).map((sub) => ({ header: `${field}.${sub}`, field, sub }))
    : [{ header: field, field }];
}

function allFields(type: RecordType): string[] {
  return Object.keys(SCHEMAS[type].fields).filter((name) => name !== 'id');
}

function without(type: RecordType, left: string): string[] {
  return allFields(type).filter((name) => name !== left);
}

import { BUSINESS } from './business.ts';
import { PRODUCT } from './product.ts';
import { PROPERTY } from './property.ts';
import type { ObjectField, RecordSchema, RecordType, ValueField, ValueKind } from './schema.ts';

export const SCHEMAS: Readonly<Record<RecordType, RecordSchema>> = {
  businesses: BUSINESS,
  products: PRODUCT,
  properties: PROPERTY,
};

/** One searchable field: a value field, or a value field inside an object field. */
export interface LeafPath {
  /** `name` or `prices.amountMin`. */
  readonly path: string;
  readonly kind: ValueKind;
  readonly list: boolean;
  readonly searchedByDefault: boolean;
  readonly weight: number;
  /** The object field that contains it. */
  readonly parent?: string;
}

/** Every searchable field in schema order. */
export function leafPaths(schema: RecordSchema): LeafPath[] {
  return Object.entries(schema.fields).flatMap(([name, field]) =>
    field.kind === 'object'
      ? Object.entries(field.fields).map(([sub, inner]) => ({ ...leaf(`${name}.${sub}`, inner), parent: name }))
      : [leaf(name, field)],
  );
}

function leaf(path: string, field: ValueField): LeafPath {
  return {
    path,
    kind: field.kind,
    list: field.list ?? false,
    searchedByDefault: field.searchedByDefault ?? false,
    weight: field.weight ?? 1,
  };
}

/** The field at `name` or `name.sub`; undefined when the schema has none, whatever the text is. */
export function fieldAt(schema: RecordSchema, path: string): ValueField | ObjectField | undefined {
  const dot = path.indexOf('.');
  if (dot === -1) return member(schema.fields, path);
  const parent = member(schema.fields, path.slice(0, dot));
  return parent?.kind === 'object' ? member(parent.fields, path.slice(dot + 1)) : undefined;
}

/** Own members only: `constructor` is not a field. */
function member<Field>(fields: Readonly<Record<string, Field>>, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

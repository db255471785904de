import type { ResultRecord } from './search-answers.ts';

/** The columns of a table of records, if at least one record has the field. */
const MAIN_FIELDS = [
  ['name', 'Name'],
  ['listingName', 'Name of the listing'],
  ['brand', 'Brand'],
  ['categories', 'Categories'],
  ['address', 'Address'],
  ['city', 'City'],
  ['province', 'Province'],
  ['propertyType', 'Type'],
  ['numBedroom', 'Bedrooms'],
  ['manufacturer', 'Manufacturer'],
  ['country', 'Country'],
] as const;

const COLUMNS_MAX = 5;

export interface MainField {
  readonly name: string;
  readonly title: string;
}

export function mainFieldsOf(records: readonly ResultRecord[]): MainField[] {
  const filled = MAIN_FIELDS.filter(([name]) => records.some((record) => valueText(record[name]) !== ''));
  return filled.slice(0, COLUMNS_MAX).map(([name, title]) => ({ name, title }));
}

/** Formats a value in one line: lists with commas, objects as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Cuts a text to a length, with an ellipsis. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

export const idOf = (record: ResultRecord): string => valueText(record['id']);

/** Returns the title of a record's page: its name, a similar field, or its id. */
export const titleOf = (record: ResultRecord): string =>
  ['name', 'listingName', 'buildingName', 'address']
    .map((name) => valueText(record[name]))
    .find((text) => text !== '') ?? idOf(record);

/** A field of a record: its values, or the members of each of its objects. */
export type DisplayField = { readonly name: string } & (
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'objects'; readonly objects: readonly (readonly (readonly [string, string])[])[] }
);

/** Returns all fields of a record that have a value, in the order of the record. */
export function fieldsOf(record: ResultRecord): DisplayField[] {
  return Object.entries(record).flatMap(([name, value]): DisplayField[] => {
    const values = (Array.isArray(value) ? value : [value]).filter((one) => valueText(one) !== '');
    if (values.length === 0) return [];
    if (!values.every(isObject)) return [{ name, kind: 'values', values: values.map(valueText) }];
    const objects = values.map((one) => Object.entries(one).map(([member, of]) => [member, valueText(of)] as const));
    return [{ name, kind: 'objects', objects }];
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Limits the fields to this many characters of all values together. @returns the fields, and whether something was cut
 */
export function withinLimit(
  fields: readonly DisplayField[],
  characters: number,
): { readonly fields: readonly DisplayField[]; readonly isCut: boolean } {
  let remaining = characters;
  let isCut = false;
  const limited = (text: string): string => {
    const part = remaining > 0 ? cut(text, remaining) : '';
    remaining -= text.length;
    isCut ||= part !== text;
    return part;
  };
  const some = <Value>(values: readonly Value[], keep: (value: Value) => Value): Value[] =>
    values.flatMap((value) => {
      if (remaining > 0) return [keep(value)];
      isCut = true;
      return [];
    });
  const limitedFields = some(fields, (field): DisplayField => {
    if (field.kind === 'values') return { ...field, values: some(field.values, limited) };
    const objects = some(field.objects, (members) => some(members, ([name, text]) => [name, limited(text)] as const));
    return { ...field, objects };
  });
  return { fields: limitedFields, isCut };
}

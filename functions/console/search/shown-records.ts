import type { FoundRecord } from './search-answers.ts';

/** The fields that a table of records shows, of those that at least one record has. */
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

export function mainFieldsOf(records: readonly FoundRecord[]): MainField[] {
  const filled = MAIN_FIELDS.filter(([name]) => records.some((record) => valueText(record[name]) !== ''));
  return filled.slice(0, COLUMNS_MAX).map(([name, title]) => ({ name, title }));
}

/** A value in one line: lists with commas, objects as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text as far as a cell of a table has room for it, or a hint beside it. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

export const idOf = (record: FoundRecord): string => valueText(record['id']);

/** The text at the top of a record's page: its name, or what stands in for one. */
export const titleOf = (record: FoundRecord): string =>
  ['name', 'listingName', 'buildingName', 'address']
    .map((name) => valueText(record[name]))
    .find((text) => text !== '') ?? idOf(record);

/** A field of one record: its values, or the members of its objects, one group for each. */
export type ShownField = { readonly name: string } & (
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'objects'; readonly objects: readonly (readonly (readonly [string, string])[])[] }
);

/** All fields of a record that have a value, in the order of the record. */
export function fieldsOf(record: FoundRecord): ShownField[] {
  return Object.entries(record).flatMap(([name, value]): ShownField[] => {
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
 * The fields as far as a page shows them: so many characters of all values together, one after the other.
 * @returns also whether something is left out
 */
export function withinLimit(
  fields: readonly ShownField[],
  characters: number,
): { readonly fields: readonly ShownField[]; readonly isCut: boolean } {
  let left = characters;
  let isCut = false;
  const kept = (text: string): string => {
    const shown = left > 0 ? cut(text, left) : '';
    left -= text.length;
    isCut ||= shown !== text;
    return shown;
  };
  const some = <Value>(values: readonly Value[], keep: (value: Value) => Value): Value[] =>
    values.flatMap((value) => {
      if (left > 0) return [keep(value)];
      isCut = true;
      return [];
    });
  const shown = some(fields, (field): ShownField => {
    if (field.kind === 'values') return { ...field, values: some(field.values, kept) };
    const objects = some(field.objects, (members) => some(members, ([name, text]) => [name, kept(text)] as const));
    return { ...field, objects };
  });
  return { fields: shown, isCut };
}

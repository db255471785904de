import { numberText } from '#shared/formats/exact-json';
import { type FieldName, type Place, placesOf } from '../../fields/fields.ts';
import { isJsonObject, type JsonObject } from '../../items/caller-record.ts';

/** A value of a record and its JSON pointer. */
export interface FieldValue<T> {
  readonly path: string;
  readonly value: T;
}

/** The value at a place. Only own members count, not inherited ones. */
export function valueAt(fields: JsonObject, place: Place): FieldValue<unknown> | undefined {
  let [path, value]: [string, unknown] = ['', fields];
  for (const name of place) {
    if (Array.isArray(value)) [path, value] = [`${path}/0`, value[0]];
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    [path, value] = [`${path}/${name}`, value[name]];
  }
  return { path, value };
}

/** The first place that holds a text or a number, or a list of these; the text is trimmed. */
export function textAt(fields: JsonObject, places: readonly Place[]): FieldValue<string> | undefined {
  for (const place of places) {
    const { path = '', value } = valueAt(fields, place) ?? {};
    const first: unknown = Array.isArray(value) ? value[0] : value;
    const text = typeof first === 'string' ? first.trim() : numberText(first);
    if (text !== undefined && text !== '') return { path: first === value ? path : `${path}/0`, value: text };
  }
  return undefined;
}

/** The text of a field at any place where a record may hold it. */
export const textOf = (fields: JsonObject, field: FieldName): FieldValue<string> | undefined =>
  textAt(fields, placesOf(field));

/** False for null and empty text, and for lists and objects that contain nothing else. Zero and false are values. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.some(isFilled);
  return isJsonObject(value) ? Object.values(value).some(isFilled) : true;
}

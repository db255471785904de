import { numberText } from '#shared/exact-json';
import { isJsonObject, type JsonObject } from '../../items/stated-record.ts';

/** What a record holds at one place, and where: a JSON pointer. */
export interface Found<T> {
  readonly path: string;
  readonly value: T;
}

/** The value at `/prices/0/currency`. Only members that the caller sent count, not those that objects inherit. */
export function valueAt(fields: JsonObject, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => {
      if (Array.isArray(value)) return value[Number(name)];
      return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }, fields);
}

/** The first of some places that holds a text or a number: its characters without space around them. */
export function textAt(fields: JsonObject, paths: readonly string[]): Found<string> | undefined {
  for (const path of paths) {
    const value = valueAt(fields, path);
    const text = typeof value === 'string' ? value.trim() : numberText(value);
    if (text !== undefined && text !== '') return { path, value: text };
  }
  return undefined;
}

/** False for null, blank text, and for lists and objects with nothing else in them. Zero and false are values. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.some(isFilled);
  return isJsonObject(value) ? Object.values(value).some(isFilled) : true;
}

import { numberText } from '#shared/formats/exact-json';
import { pointerTo } from './pointer.ts';

/** JSON as ajv reads it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Thrown for a schema that is not accepted, or that costs too much. `pointer` leads into the schema. */
export class SchemaFault extends Error {
  readonly pointer: string;

  constructor(pointer: string, detail: string) {
    super(detail);
    this.pointer = pointer;
  }
}

export const isJsonObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A copy whose numbers are JavaScript's, since that is what ajv computes with: digits beyond a double are lost here. The
 * copy owns each of its members, `__proto__` included.
 */
export function plainJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plainJson);
  const text = numberText(value);
  if (text !== undefined) return Number(text);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)]));
  }
  return value as Json;
}

const DEPTH_MAX = 32;

/** A caller's schema as plain JSON, if it is not too deep and has nothing that JavaScript takes for something else. */
export function plainSchema(value: unknown, pointer = '', depth = 0): Json {
  if (depth > DEPTH_MAX) throw new SchemaFault(pointer, `The schema is nested deeper than ${DEPTH_MAX}.`);
  if (Array.isArray(value)) return value.map((item, index) => plainSchema(item, pointerTo(pointer, index), depth + 1));
  const text = numberText(value);
  if (text !== undefined) {
    if (Number.isFinite(Number(text))) return Number(text);
    throw new SchemaFault(pointer, 'The number is too large for a schema.');
  }
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const at = pointerTo(pointer, name);
      if (name === '__proto__') throw new SchemaFault(at, 'A schema may not name a member "__proto__".');
      return [name, plainSchema(member, at, depth + 1)];
    }),
  );
}

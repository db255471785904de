/** JSON of a call, read member by member without believing its shape. */
import { CallRefusal } from './call-refusal.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** Permissions and service both read a body; it is parsed once. */
const parsed = new WeakMap<Buffer, JsonObject>();

export function jsonBody(body: Buffer): JsonObject {
  const cached = parsed.get(body);
  if (cached) return cached;
  const fresh = parseJson(body.length === 0 ? '{}' : body.toString());
  parsed.set(body, fresh);
  return fresh;
}

function parseJson(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new CallRefusal(400, 'SerializationException', 'The body is not a JSON object.');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

export function listIn(object: JsonObject, name: string): readonly Json[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; anything else in it is the service's to complain about. */
export function objectsIn(object: JsonObject, name: string): JsonObject[] {
  return listIn(object, name).filter(isObject);
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}

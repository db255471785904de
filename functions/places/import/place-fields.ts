import { createHash } from 'node:crypto';
import * as z from 'zod';
import { numberOf } from '#shared/formats/number-text';
import type { MapFields } from '#shared/import/rows/parse-import-map';
import { MAX_REASONS, quoted } from '#shared/import/rows/reasons';
import { unknownField } from '#shared/import/rows/unknown-field';
import { PlaceFields, PlaceId } from '../catalog/place.ts';

/** A place in a file. Its tenant is that of the file. */
export type ImportedPlace = PlaceFields & { readonly id: string };

export type ReadPlace =
  | { readonly ok: true; readonly place: ImportedPlace }
  | { readonly ok: false; readonly reasons: readonly string[] };

type FieldSchema = z.core.JSONSchema.BaseSchema;

/** All fields but the id, in the order of the schema, with their types. */
const FIELDS = new Map(
  Object.entries(z.toJSONSchema(PlaceFields, { io: 'input' }).properties ?? {}).map(([name, schema]) => {
    const { anyOf: [first] = [] } = schema as FieldSchema;
    return [name, (first ?? schema) as FieldSchema];
  }),
);

export const MAP_FIELDS: MapFields = {
  type: 'places',
  singular: 'place',
  names: [...FIELDS.keys(), 'id'],
  has: (path) => path === 'id' || FIELDS.has(path),
};

function expectedBy({ type, format, minimum, maximum, minLength = 0, maxLength }: FieldSchema): string {
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`;
    case 'number':
      return `a number from ${minimum} to ${maximum}`;
    default:
      if (format === 'uri') return `an http or https URL of at most ${maxLength} characters`;
      return `text of ${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`;
  }
}

/** Null and an empty text mean the same as an absent value. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

export const isPlaceId = (text: string): boolean => PlaceId.safeParse(text).success;

/**
 * Reads a place from its members, or collects everything that is wrong.
 * @param fault the fault of a geometry that should have given latitude and longitude
 */
export function readPlace(members: ReadonlyMap<string, unknown>, fault?: string): ReadPlace {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of FIELDS) {
    const value = members.get(name);
    if (!isEmpty(value)) values[name] = typed(value, schema);
  }
  const { data: fields, error } = PlaceFields.safeParse(values);
  const id = members.get('id');
  const reasons = [
    ...(fault === undefined ? [] : [fault]),
    ...(error ? complaints(error, values) : []).flatMap(({ name, reason }) =>
      fault !== undefined && (name === 'latitude' || name === 'longitude') ? [] : reason,
    ),
    ...(isEmpty(id) || (typeof id === 'string' && isPlaceId(id)) ? [] : ['id is 1 to 64 letters, digits, - or _']),
    ...[...members.keys()].filter((name) => !MAP_FIELDS.has(name)).map((name) => unknownField(name, MAP_FIELDS)),
  ];
  if (!fields || reasons.length > 0) return { ok: false, reasons: reasons.slice(0, MAX_REASONS) };
  return { ok: true, place: { ...fields, id: typeof id === 'string' && id !== '' ? id : contentId(values, fields) } };
}

/** Converts text: CSV cells are text, and so are the numbers of many GeoJSON files. */
function typed(value: unknown, { type }: FieldSchema): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'number' || type === 'integer') return numberOf(value) ?? value;
  const lower = type === 'boolean' ? value.toLowerCase() : '';
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}

/** Returns one complaint per wrong field, however many rules it breaks. */
function complaints(error: z.ZodError, values: Readonly<Record<string, unknown>>) {
  const names = new Set(error.issues.map(({ path: [name] }) => String(name)));
  return [...names].map((name) => ({ name, reason: complaint(name, values) }));
}

function complaint(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = values[name];
  if (value === undefined) return `${name} is missing`;
  const hint = name === 'latitude' && isSwapped(value, values['longitude']) ? SWAPPED : '';
  return `${name} must be ${expectedBy(FIELDS.get(name) ?? {})}, not ${quoted(value)}${hint}`;
}

const SWAPPED = '; are latitude and longitude swapped?';

const isSwapped = (latitude: unknown, longitude: unknown): boolean =>
  PlaceFields.shape.latitude.safeParse(longitude).success && PlaceFields.shape.longitude.safeParse(latitude).success;

/**
 * The id of a place without one: a UUID (version 8 of RFC 9562) from a hash of its values. Importing the same place
 * again replaces it, and a changed one is another place.
 */
function contentId(values: Readonly<Record<string, unknown>>, fields: PlaceFields): string {
  const content = Object.entries(fields).filter(([name]) => Object.hasOwn(values, name));
  const bytes = createHash('sha256').update(JSON.stringify(content)).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

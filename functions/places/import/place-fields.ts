import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { MapFields } from '#shared/import/rows/read-column-map';
import { MAX_REASONS, shown } from '#shared/import/rows/reasons';
import { unknownField } from '#shared/import/rows/unknown-field';
import { numberOf } from '#shared/number-text';
import { PlaceFields, PlaceId } from '../catalog/place.ts';

/** A place as a file states it: its tenant is that of the file. */
export type ImportedPlace = PlaceFields & { readonly id: string };

export type ReadPlace =
  | { readonly ok: true; readonly place: ImportedPlace }
  | { readonly ok: false; readonly reasons: readonly string[] };

type FieldSchema = z.core.JSONSchema.BaseSchema;

/** Every field but the id, in the order of the schema, with what it takes. */
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

/** An absent value means the same. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

export const isPlaceId = (text: string): boolean => PlaceId.safeParse(text).success;

/**
 * The place of these members, or all that is wrong with them.
 *
 * @param fault what is wrong with the geometry that should have stated latitude and longitude.
 */
export function readPlace(members: ReadonlyMap<string, unknown>, fault?: string): ReadPlace {
  const stated: Record<string, unknown> = {};
  for (const [name, schema] of FIELDS) {
    const value = members.get(name);
    if (!isEmpty(value)) stated[name] = typed(value, schema);
  }
  const { data: fields, error } = PlaceFields.safeParse(stated);
  const id = members.get('id');
  const reasons = [
    ...(fault === undefined ? [] : [fault]),
    ...(error ? complaints(error, stated) : []).flatMap(({ name, reason }) =>
      fault !== undefined && (name === 'latitude' || name === 'longitude') ? [] : reason,
    ),
    ...(isEmpty(id) || (typeof id === 'string' && isPlaceId(id)) ? [] : ['id is 1 to 64 letters, digits, - or _']),
    ...[...members.keys()].filter((name) => !MAP_FIELDS.has(name)).map((name) => unknownField(name, MAP_FIELDS)),
  ];
  if (!fields || reasons.length > 0) return { ok: false, reasons: reasons.slice(0, MAX_REASONS) };
  return { ok: true, place: { ...fields, id: typeof id === 'string' && id !== '' ? id : contentId(stated, fields) } };
}

/** Cells of CSV are text, and so are the numbers of many GeoJSON files. */
function typed(value: unknown, { type }: FieldSchema): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'number' || type === 'integer') return numberOf(value) ?? value;
  const lower = type === 'boolean' ? value.toLowerCase() : '';
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}

/** One complaint for each wrong field, however many rules it breaks. */
function complaints(error: z.ZodError, stated: Readonly<Record<string, unknown>>) {
  const names = new Set(error.issues.map(({ path: [name] }) => String(name)));
  return [...names].map((name) => ({ name, reason: complaint(name, stated) }));
}

function complaint(name: string, stated: Readonly<Record<string, unknown>>): string {
  const value = stated[name];
  if (value === undefined) return `${name} is missing`;
  const hint = name === 'latitude' && isSwapped(value, stated['longitude']) ? SWAPPED : '';
  return `${name} takes ${expectedBy(FIELDS.get(name) ?? {})}, not ${shown(value)}${hint}`;
}

const SWAPPED = '; are latitude and longitude swapped?';

const isSwapped = (latitude: unknown, longitude: unknown): boolean =>
  PlaceFields.shape.latitude.safeParse(longitude).success && PlaceFields.shape.longitude.safeParse(latitude).success;

/**
 * The id of a place that comes without one: a UUID (version 8 of RFC 9562) from a hash of what is stated. So importing
 * the same place again replaces it, and a changed one is a different place.
 */
function contentId(stated: Readonly<Record<string, unknown>>, fields: PlaceFields): string {
  const content = Object.entries(fields).filter(([name]) => Object.hasOwn(stated, name));
  const bytes = createHash('sha256').update(JSON.stringify(content)).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

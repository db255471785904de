import type { RecordSchema } from '../../schemas/schema.ts';
import { fieldAt, leafPaths } from '../../schemas/schemas.ts';
import { type ColumnMap, type ParsedColumnMap, parseColumnMap } from './column-map.ts';
import { nearestNames } from './nearest-names.ts';

/** Unknown fields that are named, and characters of each that are shown: the message is stored with the import. */
const NAMED = 10;
const SHOWN = 40;

/** Reads the text of an import map for files of one record type; refuses a map whose fields the schema does not have. */
export function readColumnMap(text: string, schema: RecordSchema): ParsedColumnMap {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, message: 'not an import map: it is not valid JSON' };
  }
  const parsed = parseColumnMap(json);
  if (!parsed.ok) return parsed;
  const unknown = unknownFields(parsed.map, schema);
  return unknown.length === 0 ? parsed : { ok: false, message: complaint(unknown, schema) };
}

function unknownFields({ columns, constants }: ColumnMap, schema: RecordSchema): string[] {
  const named = new Set([...[...columns.values()].flat(), ...constants.keys()]);
  return [...named].filter((path) => !isField(schema, path));
}

/** Objects with a key and a value, such as `features`, have a field of every name. */
function isField(schema: RecordSchema, path: string): boolean {
  if (fieldAt(schema, path) !== undefined) return true;
  const dot = path.indexOf('.');
  const object = fieldAt(schema, path.slice(0, Math.max(dot, 0)));
  return object?.kind === 'object' && takesPairs(object.fields) && dot < path.length - 1;
}

const takesPairs = (fields: object): boolean => Object.hasOwn(fields, 'key') && Object.hasOwn(fields, 'value');

function complaint(unknown: readonly string[], schema: RecordSchema): string {
  const names = fieldNames(schema);
  const lines = unknown.slice(0, NAMED).map((path) => {
    const shown = path.slice(0, SHOWN);
    const near = nearestNames(shown, names);
    const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
    return `  ${shown} does not exist in ${schema.singular} schema${hint}`;
  });
  if (unknown.length > NAMED) lines.push(`  and ${unknown.length - NAMED} more`);
  return ['the import map names unknown fields', ...lines, `Fields of ${schema.type}: ${names.join(', ')}`].join('\n');
}

/** Every path that a map may name, `NAME` standing for a name of the caller's choice. */
function fieldNames(schema: RecordSchema): string[] {
  const pairs = Object.entries(schema.fields).filter(
    ([, field]) => field.kind === 'object' && takesPairs(field.fields),
  );
  return [...leafPaths(schema).map(({ path }) => path), ...pairs.map(([name]) => `${name}.NAME`)];
}

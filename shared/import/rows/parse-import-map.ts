import * as z from 'zod';
import { type FieldNames, unknownField } from './unknown-field.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Assigns the columns of a file to fields. The reader of each kind applies it (`convert-row.ts`, `place-reader.ts`). */
export interface ImportMap {
  /** The paths that each column fills; none for a dropped column. Columns that are not listed keep their names. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** Values by path, for items that have no value there. */
  readonly constants: ReadonlyMap<string, unknown>;
}

export type ParsedImportMap =
  | { readonly ok: true; readonly map: ImportMap }
  | { readonly ok: false; readonly message: string };

export const NO_IMPORT_MAP: ImportMap = { columns: new Map(), constants: new Map() };

const Path = z.string().min(1, { error: 'needs the name of a field' });
const Json = z.strictObject({
  columns: z
    .record(
      z.string(),
      z.union([Path, z.null(), z.array(Path)], { error: 'must be a field, null, or a list of fields' }),
    )
    .default({}),
  constants: z.record(Path, z.unknown()).default({}),
});

/** Parses `{"columns": {"Hospital Name": "name", "Location": null}, "constants": {"country": "US"}}`. */
export function parseImportMap(json: unknown): ParsedImportMap {
  const parsed = Json.safeParse(json);
  if (!parsed.success) return { ok: false, message: `not an import map: ${z.prettifyError(parsed.error)}` };
  const { columns, constants } = parsed.data;
  return {
    ok: true,
    map: {
      columns: new Map(Object.entries(columns).map(([column, paths]) => [column, listOf(paths)])),
      constants: new Map(Object.entries(constants)),
    },
  };
}

function listOf(paths: string | null | readonly string[]): readonly string[] {
  if (paths === null) return [];
  return typeof paths === 'string' ? [paths] : paths;
}

/** The number of unknown fields that the message names, because it is stored with the import. */
const NAMED = 10;

/** The fields that an import map may name. */
export interface MapFields extends FieldNames {
  /** The type, such as `businesses`. */
  readonly type: string;
  readonly has: (path: string) => boolean;
}

/** Parses the text of an import map. Refuses a map that names unknown fields. */
export function readMap(text: string, fields: MapFields): ParsedImportMap {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, message: 'not an import map: it is not valid JSON' };
  }
  const parsed = parseImportMap(json);
  if (!parsed.ok) return parsed;
  const unknown = unknownIn(parsed.map, fields);
  return unknown.length === 0 ? parsed : { ok: false, message: complaint(unknown, fields) };
}

/** Returns the names in a map that no field has. */
export function unknownIn({ columns, constants }: ImportMap, { has }: Pick<MapFields, 'has'>): readonly string[] {
  const named = new Set([...[...columns.values()].flat(), ...constants.keys()]);
  return [...named].filter((path) => !has(path));
}

function complaint(unknown: readonly string[], fields: MapFields): string {
  const lines = unknown.slice(0, NAMED).map((path) => `  ${unknownField(path, fields)}`);
  if (unknown.length > NAMED) lines.push(`  and ${unknown.length - NAMED} more`);
  const all = `Fields of ${fields.type}: ${fields.names.join(', ')}`;
  return ['the import map names unknown fields', ...lines, all].join('\n');
}

/**
 * The map of an import, from its text if there is one. Throws if the map is unusable, because the file must then not be
 * imported.
 */
export function usableMap(text: string | undefined, fields: MapFields): ImportMap {
  if (text === undefined) return NO_IMPORT_MAP;
  const read = readMap(text, fields);
  if (!read.ok) throw new UnreadableFile(`The import map cannot be used: ${read.message}`);
  return read.map;
}

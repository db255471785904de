import { type ImportMap, NO_IMPORT_MAP, type ParsedImportMap, parseImportMap } from './import-map.ts';
import { type FieldNames, unknownField } from './unknown-field.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The number of unknown fields that the message names, because it is stored with the import. */
const NAMED = 10;

/** The fields that an import map may name. */
export interface MapFields extends FieldNames {
  /** The type, such as `businesses`. */
  readonly type: string;
  readonly has: (path: string) => boolean;
}

/** Reads the text of an import map. Refuses a map that names unknown fields. */
export function readMap(text: string, fields: MapFields): ParsedImportMap {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, message: 'not an import map: it is not valid JSON' };
  }
  const parsed = parseImportMap(json);
  if (!parsed.ok) return parsed;
  const { columns, constants } = parsed.map;
  const named = new Set([...[...columns.values()].flat(), ...constants.keys()]);
  const unknown = [...named].filter((path) => !fields.has(path));
  return unknown.length === 0 ? parsed : { ok: false, message: complaint(unknown, fields) };
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

import * as z from 'zod';

/** Maps names of an import file to those of the schema. */
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

/** Reads `{"columns": {"Hospital Name": "name", "Location": null}, "constants": {"country": "US"}}`. */
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

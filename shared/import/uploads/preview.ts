import { inflated, isGzip } from '../import-bytes.ts';
import type { Entry, Source } from '../rows/entry.ts';
import { type MapFields, parseImportMap, unknownIn } from '../rows/parse-import-map.ts';
import { unknownField } from '../rows/unknown-field.ts';
import { UnreadableFile } from '../rows/unreadable-file.ts';
import { suggestionFor } from './suggest-field.ts';
import { PREVIEW_ROWS, PREVIEW_TEXT_BYTES_MAX } from './upload-limits.ts';
import type { ImportMap, PreviewedFile } from './upload-schemas.ts';

interface PreviewedRow {
  readonly line: number;
  readonly item?: Readonly<Record<string, unknown>>;
  readonly deletedId?: string;
  readonly reason?: string;
  readonly text?: string;
  readonly cells?: readonly string[];
}

interface PreviewOptions<Item> {
  readonly fields: MapFields;
  /** Reads the entries of the file, as its import does. @param onNames takes the member names of JSON values */
  readonly entriesOf: (
    chunks: AsyncIterable<Uint8Array>,
    input: {
      readonly name: string;
      readonly map: string | undefined;
      readonly onNames: (names: readonly string[]) => void;
    },
  ) => AsyncIterable<Entry<Item>>;
}

/**
 * Reads the columns and the first rows of a file, from its beginning, with the code of its import. What a map says of
 * unknown fields is left out, and said.
 */
export async function previewFile<Item extends object>(
  { name, head, bytes, map }: PreviewedFile,
  { fields, entriesOf }: PreviewOptions<Item>,
) {
  const columns = new Set<string>();
  const add = (names: readonly string[]) => {
    for (const one of names) columns.add(one);
  };
  const { usable, unknown, wrongMap } = usableIn(map, fields);
  const input = { name, map: usable && JSON.stringify(usable), onNames: add };
  const entries = entriesOf(chunksOf(Buffer.from(head, 'base64'), bytes), input);
  const { rows, fault = wrongMap } = await firstRows(entries, add);
  return {
    columns: [...columns].map((column) => ({
      name: column,
      suggestion: suggestionFor(column, fields) ?? null,
    })),
    fields: [...fields.names],
    rows,
    ...(unknown.length > 0 && {
      unknownFields: Object.fromEntries(unknown.map((name) => [name, unknownField(name, fields)])),
    }),
    ...(fault !== undefined && { fault }),
  };
}

/** The part of a map that names fields, and the other names in it. */
function usableIn(map: ImportMap | undefined, fields: MapFields) {
  const parsed = map && parseImportMap(map);
  if (!parsed) return { usable: undefined, unknown: [], wrongMap: undefined };
  if (!parsed.ok) return { usable: undefined, unknown: [], wrongMap: parsed.message };
  const unknown = new Set(unknownIn(parsed.map, fields));
  const isKnown = (name: string) => !unknown.has(name);
  const columns = [...parsed.map.columns].map(([column, names]) => [column, names.filter(isKnown)] as const);
  const constants = [...parsed.map.constants].filter(([name]) => isKnown(name));
  return {
    usable: { columns: Object.fromEntries(columns), constants: Object.fromEntries(constants) },
    unknown: [...unknown],
    wrongMap: undefined,
  };
}

async function firstRows<Item extends object>(
  entries: AsyncIterable<Entry<Item>>,
  onColumns: (names: readonly string[]) => void,
): Promise<{ rows: PreviewedRow[]; fault?: string }> {
  const rows: PreviewedRow[] = [];
  try {
    for await (const entry of entries) {
      if (entry.kind === 'unreadable') throw new UnreadableFile(entry.reason);
      if (entry.kind === 'columns') onColumns(entry.columns);
      else if (entry.kind !== 'blank') rows.push(rowOf(entry));
      if (rows.length === PREVIEW_ROWS) break;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (error.message !== HEAD_END) return { rows, fault: error.message };
  }
  return { rows };
}

type RowEntry = Exclude<Entry<object>, { kind: 'unreadable' | 'columns' | 'blank' }>;

function rowOf(entry: RowEntry): PreviewedRow {
  const { line } = entry;
  if (entry.kind === 'item') return { line, item: entry.item as Readonly<Record<string, unknown>> };
  if (entry.kind === 'deletion') return { line, deletedId: entry.id };
  return { line, reason: entry.reason, ...cut(entry.source) };
}

/** The most characters of a rejected line, or of each of its cells, that a preview shows. */
const SOURCE_MAX = 1_000;

function cut(source: Source | undefined): Source | undefined {
  if (!source) return undefined;
  if ('text' in source) return { text: source.text.slice(0, SOURCE_MAX) };
  return { cells: source.cells.map((cell) => cell.slice(0, SOURCE_MAX)) };
}

/** Ends a stream of which only the beginning is there, so that the line that it cuts is not read. */
const HEAD_END = 'This is only the beginning of the file.';

async function* chunksOf(head: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  const isCut = head.length < bytes;
  let left = PREVIEW_TEXT_BYTES_MAX;
  try {
    for await (const chunk of isGzip(head) ? inflated(singleChunk(head), 0) : singleChunk(head)) {
      if (chunk.length > left) throw new UnreadableFile(HEAD_END);
      left -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (!isCut || !isCutShort(error)) throw error;
  }
  if (isCut) throw new UnreadableFile(HEAD_END);
}

/** Returns whether gzip data ends too early, as the beginning of a file always does. */
const isCutShort = (error: unknown): boolean =>
  error instanceof UnreadableFile &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'Z_BUF_ERROR';

async function* singleChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

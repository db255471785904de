import { createHash } from 'node:crypto';
import type { RecordSchema, RecordType } from '../../schemas/schema.ts';
import { SCHEMAS } from '../../schemas/schemas.ts';
import { type ColumnMap, NO_COLUMN_MAP } from './column-map.ts';
import { type Converted, memberConverter, rowConverter } from './convert-row.ts';
import { faultOf, rowsOf } from './csv-rows.ts';
import type { Entry } from './entry.ts';
import { type LinePosition, linesOf } from './lines.ts';
import { readColumnMap } from './read-column-map.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { isRecordId, type RecordBody, validateBody, withId } from './validate.ts';

type Outcome =
  | { readonly kind: 'record'; readonly record: ReturnType<typeof withId> }
  | { readonly kind: 'deletion'; readonly id: string }
  | { readonly kind: 'rejected'; readonly reason: string };

/** A file, and where reading begins. */
export interface FileReading {
  readonly key: string;
  readonly type: RecordType;
  readonly checkpoint: LinePosition;
  /** The column names of a CSV file, once read. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * The entries of a file, line by line, from a checkpoint on. Keys that end in `.csv` or `.csv.gz` are CSV, all others
 * one JSON object per line.
 *
 * @param map the text of the import map, if there is one.
 */
export function entriesOf(
  chunks: AsyncIterable<Uint8Array>,
  { file, map }: { file: FileReading; map?: string },
): AsyncGenerator<Entry> {
  const schema = SCHEMAS[file.type];
  const columnMap = map === undefined ? NO_COLUMN_MAP : readMap(map, schema);
  return /\.csv(\.gz)?$/i.test(file.key)
    ? csvEntries(chunks, { file, schema, map: columnMap })
    : jsonEntries(chunks, { file, schema, map: columnMap });
}

interface Reading {
  readonly file: FileReading;
  readonly schema: RecordSchema;
  readonly map: ColumnMap;
}

async function* jsonEntries(chunks: AsyncIterable<Uint8Array>, { file, schema, map }: Reading): AsyncGenerator<Entry> {
  const convert = memberConverter(schema, map);
  for await (const line of linesOf(chunks, file.checkpoint)) {
    const at = { line: line.number, end: { byte: line.end, line: line.number } };
    const fault = faultOf(line);
    if (fault) yield { ...at, kind: 'rejected', reason: fault };
    else if (isBlank(line.text)) yield { ...at, kind: 'blank' };
    else yield { ...at, ...jsonOutcome(line.text, schema, convert) };
  }
}

function jsonOutcome(text: string, schema: RecordSchema, convert: (record: unknown) => Converted): Outcome {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'rejected', reason: 'the line is not valid JSON' };
  }
  return isDeletion(value) ? deletion(value) : outcomeOf(convert(value), schema);
}

async function* csvEntries(chunks: AsyncIterable<Uint8Array>, { file, schema, map }: Reading): AsyncGenerator<Entry> {
  let columns = file.columns;
  let convert = columns && rowConverter(schema, map, columns);
  for await (const { line, end, cells, fault } of rowsOf(linesOf(chunks, file.checkpoint))) {
    if (!convert || !columns) {
      if (fault) throw new UnreadableFile(`The header of the file cannot be read: ${fault}.`);
      if (cells.length === 1 && isBlank(cells[0])) yield { line, end, kind: 'blank' };
      else {
        columns = checkedColumns(cells);
        convert = rowConverter(schema, map, columns);
        yield { line, end, kind: 'columns', columns };
      }
    } else if (fault) {
      yield { line, end, kind: 'rejected', reason: fault };
    } else if (cells.length === 1 && isBlank(cells[0])) {
      yield { line, end, kind: 'blank' };
    } else if (cells.length !== columns.length) {
      const reason = `the row has ${cells.length} cells, the header has ${columns.length}`;
      yield { line, end, kind: 'rejected', reason };
    } else {
      yield { line, end, ...outcomeOf(convert(cells), schema) };
    }
  }
}

function checkedColumns(cells: readonly string[]): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  const twice = columns.find((column, i) => columns.indexOf(column) < i);
  if (twice !== undefined) throw new UnreadableFile(`The header of the file names the column "${twice}" twice.`);
  return columns;
}

function outcomeOf(converted: Converted, schema: RecordSchema): Outcome {
  if (!converted.ok) return { kind: 'rejected', reason: converted.reasons.join('; ') };
  const validated = validateBody(schema, converted.input);
  if (!validated.ok) return { kind: 'rejected', reason: validated.reasons.join('; ') };
  const { id, body } = validated;
  if (id === undefined && Object.keys(body).length === 0) return { kind: 'rejected', reason: 'the record is empty' };
  return { kind: 'record', record: withId(body, id ?? contentId(body)) };
}

/**
 * The id of a record that comes without one: 20 URL-safe characters of a hash of its content. So importing the same
 * record again replaces it, and a changed one is a different record.
 */
function contentId(body: RecordBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest().subarray(0, 15).toString('base64url');
}

function isDeletion(value: unknown): value is { readonly id?: unknown; readonly _deleted: true } {
  return typeof value === 'object' && value !== null && '_deleted' in value && value._deleted === true;
}

function deletion({ id }: { readonly id?: unknown }): Outcome {
  if (typeof id === 'string' && isRecordId(id)) return { kind: 'deletion', id };
  return { kind: 'rejected', reason: 'a deletion needs the id of a record' };
}

function readMap(text: string, schema: RecordSchema): ColumnMap {
  const read = readColumnMap(text, schema);
  if (!read.ok) throw new UnreadableFile(`The import map cannot be used: ${read.message}`);
  return read.map;
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

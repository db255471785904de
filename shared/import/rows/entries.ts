import { faultOf, rowsOf } from './csv-rows.ts';
import type { Entry, Outcome, Source } from './entry.ts';
import { type LinePosition, linesOf } from './lines.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** A file, and the position at which reading starts. */
export interface FileReading {
  readonly name: string;
  readonly checkpoint: LinePosition;
  /** The column names of a CSV file, after its header was read. */
  readonly columns?: readonly string[] | undefined;
}

/** Converts the contents of files to items. */
export interface ItemReader<Item> {
  fromJson(value: unknown): Outcome<Item>;
  /** Converts the rows of one CSV file, which have as many cells as the header. */
  fromRows(columns: readonly string[]): (cells: readonly string[]) => Outcome<Item>;
}

/**
 * Reads the entries of a file, line by line, from a checkpoint. `.csv` and `.csv.gz` are CSV; all others have one JSON
 * object per line.
 */
export function entriesOf<Item>(
  chunks: AsyncIterable<Uint8Array>,
  { file, reader }: { file: FileReading; reader: ItemReader<Item> },
): AsyncGenerator<Entry<Item>> {
  return isCsv(file) ? csvEntries(chunks, file, reader) : jsonEntries(chunks, file, reader);
}

const isCsv = ({ name }: FileReading): boolean => /\.csv(\.gz)?$/i.test(name);

/** The end of an entry, and the column names of a CSV file if it is the header. */
export interface EntryEnd {
  readonly end: LinePosition;
  readonly columns?: readonly string[];
}

/** Returns where the entries of a file end, without understanding them: several times faster than `entriesOf`. */
export function entryEnds(chunks: AsyncIterable<Uint8Array>, file: FileReading): AsyncGenerator<EntryEnd> {
  return isCsv(file) ? csvEnds(chunks, file) : jsonEnds(chunks, file);
}

async function* jsonEnds(chunks: AsyncIterable<Uint8Array>, { checkpoint }: FileReading): AsyncGenerator<EntryEnd> {
  for await (const line of linesOf(chunks, checkpoint)) yield { end: { byte: line.end, line: line.number } };
}

async function* csvEnds(chunks: AsyncIterable<Uint8Array>, file: FileReading): AsyncGenerator<EntryEnd> {
  for await (const entry of csvEntries(chunks, file, ENDS_ONLY)) {
    if (entry.kind === 'columns') yield { end: entry.end, columns: entry.columns };
    else if (entry.kind !== 'unreadable') yield { end: entry.end };
  }
}

const ENDS_ONLY: ItemReader<never> = {
  fromJson: () => ({ kind: 'rejected', reason: '' }),
  fromRows: () => () => ({ kind: 'rejected', reason: '' }),
};

async function* jsonEntries<Item>(
  chunks: AsyncIterable<Uint8Array>,
  { checkpoint }: FileReading,
  reader: ItemReader<Item>,
): AsyncGenerator<Entry<Item>> {
  for await (const line of linesOf(chunks, checkpoint)) {
    const at = { line: line.number, end: { byte: line.end, line: line.number } };
    const fault = faultOf(line);
    if (fault) yield { ...at, kind: 'rejected', reason: fault };
    else if (isBlank(line.text)) yield { ...at, kind: 'blank' };
    else
      yield {
        ...at,
        ...withSource(jsonOutcome(line.text, reader), { text: line.text }),
      };
  }
}

function jsonOutcome<Item>(text: string, reader: ItemReader<Item>): Outcome<Item> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'rejected', reason: 'the line is not valid JSON' };
  }
  return reader.fromJson(value);
}

async function* csvEntries<Item>(
  chunks: AsyncIterable<Uint8Array>,
  { checkpoint, columns: header }: FileReading,
  reader: ItemReader<Item>,
): AsyncGenerator<Entry<Item>> {
  let columns = header;
  let fromRow = columns && reader.fromRows(columns);
  for await (const { line, end, cells, fault, text } of rowsOf(linesOf(chunks, checkpoint))) {
    if (!fromRow || !columns) {
      if (fault) throw new UnreadableFile(`The header of the file cannot be read: ${fault}.`);
      if (cells.length === 1 && isBlank(cells[0])) yield { line, end, kind: 'blank' };
      else {
        columns = checkedColumns(cells);
        fromRow = reader.fromRows(columns);
        yield { line, end, kind: 'columns', columns };
      }
    } else if (fault) {
      yield {
        line,
        end,
        kind: 'rejected',
        reason: fault,
        ...(text && { source: { text } }),
      };
    } else if (cells.length === 1 && isBlank(cells[0])) {
      yield { line, end, kind: 'blank' };
    } else if (cells.length !== columns.length) {
      const reason = `the row has ${cells.length} cells, the header has ${columns.length}`;
      yield { line, end, kind: 'rejected', reason, source: { cells } };
    } else {
      yield { line, end, ...withSource(fromRow(cells), { cells }) };
    }
  }
}

/** Adds what the file has to an outcome that is rejected. */
const withSource = <Item>(outcome: Outcome<Item>, source: Source): Outcome<Item> =>
  outcome.kind === 'rejected' ? { ...outcome, source } : outcome;

/** The most bytes of a header. It is stored with the import, in one item of the table. */
const HEADER_BYTES_MAX = 64 * 1024;

function checkedColumns(cells: readonly string[]): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  const bytes = columns.reduce((sum, column) => sum + Buffer.byteLength(column) + 1, 0);
  if (bytes > HEADER_BYTES_MAX) throw new UnreadableFile('The header of the file is longer than 64 KiB.');
  const names = new Set<string>();
  for (const column of columns) {
    if (names.has(column)) throw new UnreadableFile(`The header of the file names the column "${column}" twice.`);
    names.add(column);
  }
  return columns;
}

/**
 * The deletion in `{"id": …, "_deleted": true}`; undefined for any other value.
 * @param of the words for what has the id, such as `a record`
 */
export function deletionIn(
  value: unknown,
  { isId, of }: { isId: (text: string) => boolean; of: string },
): Outcome<never> | undefined {
  if (!isDeletion(value)) return undefined;
  const { id } = value;
  if (typeof id === 'string' && isId(id)) return { kind: 'deletion', id };
  return { kind: 'rejected', reason: `a deletion needs the id of ${of}` };
}

function isDeletion(value: unknown): value is { readonly id?: unknown; readonly _deleted: true } {
  return typeof value === 'object' && value !== null && '_deleted' in value && value._deleted === true;
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

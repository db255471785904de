/** The records of a result file, page by page. A page begins at the byte at which the previous one ended. */
import { Refusal } from '#shared/errors';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import { type Row, rowsOf } from '#shared/import/rows/csv-rows';
import { linesOf } from '#shared/import/rows/lines';
import type { DownloadRequest } from '../download/download-request.ts';
import { fileKeyOf, type ResultFile } from '../download/result-file.ts';

/** The most bytes of a page with more than one record: an answer of a function may have 6 MB. */
const PAGE_BYTES = 1 << 20;

/** A record of a JSON file, or a row of a CSV file by the names of its columns. */
export type FileRecord = Readonly<Record<string, unknown>>;

interface RecordEnd {
  readonly record: FileRecord;
  /** The byte after it. */
  readonly end: number;
}

/** Reads a file of this size from a position on. */
export type ResultBytes = (
  key: string,
  range: { readonly from: number; readonly size: number },
) => AsyncIterable<Uint8Array>;

type BytesFrom = (byte: number) => AsyncIterable<Uint8Array>;

/** Returns a page of the records of a file, in their order. */
export async function recordsOfFile(
  bytesOf: ResultBytes,
  { request, file }: { readonly request: DownloadRequest; readonly file: ResultFile },
  { limit, cursor }: PageQuery,
): Promise<Page<FileRecord>> {
  const list = `FILE#${request.tenant}#${request.id}#${file.file}`;
  const byte = decodeCursor(list, cursor, ['byte'])?.['byte'] ?? '0';
  const from = /^\d{1,15}$/.test(byte) ? Number(byte) : Number.NaN;
  if (!(from < Math.max(file.bytes, 1))) throw foreignCursor();
  const key = fileKeyOf(request, file.file);
  const bytesFrom: BytesFrom = (byte) => bytesOf(key, { from: byte, size: file.bytes });
  const items: FileRecord[] = [];
  let end = from;
  for await (const next of request.format === 'csv' ? csvRecords(bytesFrom, from) : jsonRecords(bytesFrom, from)) {
    if (items.length > 0 && next.end - from > PAGE_BYTES) break;
    items.push(next.record);
    end = next.end;
    if (items.length === limit) break;
  }
  return { items, ...(end > from && end < file.bytes && { nextCursor: encodeCursor(list, { byte: String(end) }) }) };
}

/** A caller may have changed the position to one inside a record. */
const foreignCursor = () => new Refusal(400, 'invalid-cursor', 'The cursor does not belong to this list.');

async function* jsonRecords(bytesFrom: BytesFrom, from: number): AsyncGenerator<RecordEnd> {
  for await (const { text, end } of linesOf(bytesFrom(from), positionAt(from))) yield { record: parsed(text), end };
}

function parsed(line: string): FileRecord {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record === 'object' && record !== null) return record as FileRecord;
  } catch {
    // Refused below.
  }
  throw foreignCursor();
}

/** The first row of the file names the columns. Cells without text are left out, as JSON leaves out such fields. */
async function* csvRecords(bytesFrom: BytesFrom, from: number): AsyncGenerator<RecordEnd> {
  let header: readonly string[] | undefined = from === 0 ? undefined : await firstRow(bytesFrom);
  for await (const { cells, fault, end } of csvRows(bytesFrom, from)) {
    if (fault !== undefined) throw foreignCursor();
    if (header) {
      const columns = header;
      const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [[columns[at] ?? '', cell] as const]));
      yield { record: Object.fromEntries(filled), end: end.byte };
    }
    header ??= cells;
  }
}

async function firstRow(bytesFrom: BytesFrom): Promise<readonly string[]> {
  for await (const { cells } of csvRows(bytesFrom, 0)) return cells;
  return [];
}

const csvRows = (bytesFrom: BytesFrom, from: number): AsyncGenerator<Row> =>
  rowsOf(linesOf(bytesFrom(from), positionAt(from)));

const positionAt = (byte: number) => ({ byte, line: Number(byte > 0) });

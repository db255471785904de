/** The writers of the download bench: the product, the minimal loop that any writer needs, and SQLite. */

import { closeSync, openSync, readFileSync, readSync, writeSync, writevSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileBytes } from '../../../functions/records/download/record-file.ts';
import { FILE_RECORDS } from '../../../functions/records/download/result-file.ts';
import type { FileStorage } from '../../../functions/records/download/run-download.ts';
import { csvHeader } from '../../../functions/records/schemas/csv.ts';
import { type View, viewNamed } from '../../../functions/records/schemas/view.ts';
import { dataKey, metaKey } from '../../../functions/records/segments/format/format.ts';
import { decodeMeta } from '../../../functions/records/segments/format/meta-codec.ts';
import { readRecordBlock } from '../../../functions/records/segments/format/record-block.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { FolderStorage, manifestIn } from './segment-folder.ts';
import { EXPORT_SCHEMA, exportSql, INSERT_SQL } from './sqlite-export.ts';

/** What is downloaded, and where the index is and the files go. */
export interface DownloadTask {
  readonly view: string;
  readonly format: 'json' | 'csv';
  readonly records: number;
  readonly indexFolder: string;
  readonly filesFolder: string;
}

/** Writes the files of a download, as often as it is asked to. */
interface FileWriter {
  write(): Promise<void>;
  close(): Promise<void>;
}

export const WRITERS = { product, loop, sqlite } as const;
export type WriterName = keyof typeof WRITERS;

const nameOf = (file: number): string => `${String(file).padStart(5, '0')}.out`;

const ALL = { kind: 'all' } as const;
const CACHE_BYTES = 64 << 20;

function viewOf({ view: name }: DownloadTask): View {
  const view = viewNamed('businesses', name);
  if (!view) throw new Error(`There is no view ${name}.`);
  return view;
}

/** The matches of each file, split as in the product. */
function rangesOf({ records }: DownloadTask): { readonly from: number; readonly to: number }[] {
  return Array.from({ length: Math.ceil(records / FILE_RECORDS) }, (_, i) => ({
    from: i * FILE_RECORDS,
    to: Math.min((i + 1) * FILE_RECORDS, records),
  }));
}

/** Files as storage of results. */
const filesIn = (folder: string): FileStorage => ({
  async write(key, _format, chunks) {
    let bytes = 0;
    const file = await open(join(folder, key), 'w');
    for await (const chunk of chunks) bytes += (await file.write(chunk)).bytesWritten;
    await file.close();
    return bytes;
  },
});

async function product(task: DownloadTask): Promise<FileWriter> {
  const { segments } = await manifestIn(task.indexFolder);
  const index = new FolderStorage(task.indexFolder);
  const engine = segmentSearch(index, new SegmentCache(CACHE_BYTES));
  const storage = filesIn(task.filesFolder);
  const view = viewOf(task);
  return {
    async write() {
      const counts = (await engine.counts(ALL, segments)) ?? [];
      for (const [file, range] of rangesOf(task).entries()) {
        const lines = engine.lines(ALL, segments, counts, range);
        await storage.write(
          nameOf(file),
          task.format,
          fileBytes(lines, view, { format: task.format, csvFormulas: 'guarded' }),
        );
      }
    },
    close: () => index.close(),
  };
}

/** As many record blocks as the product reads at a time. */
const BLOCKS_AT_A_TIME = 64;
const LINE_FEED = 10;
const LINE_END = Uint8Array.of(LINE_FEED);

/** Reads blocks, decompresses them and writes their lines. It knows where the blocks of its one segment are, and no more. */
async function loop(task: DownloadTask): Promise<FileWriter> {
  const [segment, ...others] = (await manifestIn(task.indexFolder)).segments;
  if (!segment || others.length > 0) throw new Error('The loop reads an index of one segment.');
  const meta = decodeMeta(readFileSync(join(task.indexFolder, metaKey(segment.id))), segment.id);
  const { firsts, offsets } = meta.recordBlocks;
  const data = openSync(join(task.indexFolder, dataKey(segment.id)), 'r');
  const write = async () => {
    for (const [number, { from, to }] of rangesOf(task).entries()) {
      const file = openSync(join(task.filesFolder, nameOf(number)), 'w');
      let block = firsts.findLastIndex((first) => first <= from);
      while (firsts[block]! < to) {
        const start = offsets[block]!;
        const endBlock = Math.min(
          block + BLOCKS_AT_A_TIME,
          firsts.findIndex((first) => first >= to),
        );
        const read = Buffer.allocUnsafe(offsets[endBlock]! - start);
        readSync(data, read, 0, read.length, start);
        const runs: Uint8Array[] = [];
        for (; block < endBlock; block += 1) {
          const bytes = read.subarray(offsets[block]! - start, offsets[block + 1]! - start);
          const { buffer, byteOffset, length } = readRecordBlock(bytes, `block ${block}`);
          const lines = Buffer.from(buffer, byteOffset, length);
          runs.push(linesFrom(lines, from - firsts[block]!, to - firsts[block]!), LINE_END);
        }
        writevSync(file, runs);
      }
      closeSync(file);
    }
  };
  return { write, close: async () => closeSync(data) };
}

/** Lines number `from` to before `to` of a block, without the last line end. */
function linesFrom(lines: Buffer, from: number, to: number): Buffer {
  let start = 0;
  for (let line = 0; line < from; line += 1) start = lines.indexOf(LINE_FEED, start) + 1;
  let end = -1;
  for (let line = 0; line < to; line += 1) {
    end = lines.indexOf(LINE_FEED, end + 1);
    if (end === -1) return lines.subarray(start);
  }
  return lines.subarray(start, end);
}

const DATABASE = 'records.db';

/** Puts the records of the index into a database, in the order in which they are downloaded. */
export async function fillDatabase(indexFolder: string): Promise<void> {
  const { segments } = await manifestIn(indexFolder);
  const storage = new FolderStorage(indexFolder);
  const engine = segmentSearch(storage, new SegmentCache(CACHE_BYTES));
  const counts = (await engine.counts(ALL, segments)) ?? [];
  const database = new DatabaseSync(join(indexFolder, DATABASE));
  database.exec(`${EXPORT_SCHEMA} BEGIN`);
  const insert = database.prepare(INSERT_SQL);
  let n = 0;
  for await (const { bytes } of engine.lines(ALL, segments, counts, { from: 0, to: Number.POSITIVE_INFINITY })) {
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      if (line === '') continue;
      insert.run(n, line);
      n += 1;
    }
  }
  database.exec('COMMIT');
  database.close();
  await storage.close();
}

async function sqlite(task: DownloadTask): Promise<FileWriter> {
  const view = viewOf(task);
  const database = new DatabaseSync(join(task.indexFolder, DATABASE), { readOnly: true });
  database.exec('PRAGMA cache_size = -262144; PRAGMA mmap_size = 1073741824');
  const lines = database.prepare(exportSql(view, task.format));
  const write = async () => {
    for (const [number, { from, to }] of rangesOf(task).entries()) {
      const file = openSync(join(task.filesFolder, nameOf(number)), 'w');
      if (task.format === 'csv') writeSync(file, `${csvHeader(view)}\n`);
      const bytes = lines.get(from, to)?.['bytes'];
      if (bytes instanceof Uint8Array) writeSync(file, bytes);
      closeSync(file);
    }
  };
  return { write, close: async () => database.close() };
}

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { FILE_RECORDS, type Request } from './download-call.ts';

const NEWLINE = 0x0a;

/** The records of a file, in memory that does not grow with it. */
export function recordsIn(path: string, format: 'json' | 'csv'): Promise<number> {
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
  return format === 'csv' ? csvRecords(bytes) : lines(bytes);
}

/** Counts lines; the last one may lack its end. */
export async function lines(chunks: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  let last = NEWLINE;
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
    last = chunk.at(-1) ?? last;
  }
  return last === NEWLINE ? count : count + 1;
}

/** A view may spread a record over several rows, which follow each other and begin with its id. */
export async function csvRecords(chunks: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  await pipeline(chunks, parse({ from: 2 }), async (rows: AsyncIterable<readonly string[]>) => {
    let last: string | undefined;
    for await (const [id] of rows) {
      if (id !== last) count += 1;
      last = id;
    }
  });
  return count;
}

/** The problems of the files of a download that has ended, given the records in each by its number. */
export function wrongCounts(
  { numDownloaded, numRequested }: Pick<Request, 'numDownloaded' | 'numRequested'>,
  counts: ReadonlyMap<number, number>,
): string[] {
  const wrong: string[] = [];
  for (const [file, count] of counts) {
    const due = Math.min(FILE_RECORDS, numRequested - (file - 1) * FILE_RECORDS);
    if (count !== due) wrong.push(`File ${file} has ${count} records instead of ${due}. Delete it and run this again.`);
  }
  const total = totalOf(counts);
  if (total !== numDownloaded)
    wrong.push(`${total} records arrived, but the service says it delivered ${numDownloaded}.`);
  return wrong;
}

export const totalOf = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import { fileBytes } from '../../../functions/records/download/record-file.ts';
import { type FileRecord, recordsOfFile } from '../../../functions/records/download-files/file-records.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { viewNamed } from '../../../functions/records/schemas/view.ts';
import { encodeCursor } from '../../../shared/http/cursor.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const REQUEST: DownloadRequest = {
  id: 42,
  tokenId: 'tok_1',
  tenant: 'acme',
  planId: 'demo',
  type: 'businesses',
  query: '*:*',
  view: 'businesses_all_nested',
  format: 'json',
  csvFormulas: 'raw',
  records: '',
  status: 'COMPLETED',
  error: '',
  numFound: 0,
  numRequested: 0,
  numDownloaded: 0,
  filesDone: 1,
  startedAt: '2026-11-23T00:00:00.000Z',
  progressedAt: '2026-11-23T00:00:00.000Z',
};

type Format = DownloadRequest['format'];

/** The content of a file as a download writes it. */
async function contentOf(records: readonly DataRecord[], format: Format): Promise<Buffer> {
  const view = viewNamed('businesses', REQUEST.view);
  if (!view) throw new Error('The view is gone.');
  const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const chunks: Uint8Array[] = [];
  for await (const chunk of fileBytes(portion({ bytes, records: records.length }), view, {
    format,
    csvFormulas: 'raw',
  }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* portion<One>(one: One) {
  yield one;
}

function pageOf(content: Buffer, format: Format, query: { limit: number; cursor?: string | undefined }) {
  const file = { file: 1, records: 1, bytes: content.length, createdAt: REQUEST.startedAt };
  const bytesOf = (key: string, { from, size }: { from: number; size: number }) => {
    expect(key).toBe(`acme/tok_1/42_1.${format === 'csv' ? 'csv' : 'txt'}`);
    return chunksOf(content.subarray(from, size));
  };
  return recordsOfFile(bytesOf, { request: { ...REQUEST, format }, file }, query);
}

/** Chunks that end inside of records. */
async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

async function allOf(content: Buffer, format: Format, limit: number) {
  const pages: (readonly FileRecord[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(content, format, { limit, cursor });
    pages.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

const text = fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 40 });
const recordOf = fc.record({ name: text, city: text }, { requiredKeys: ['name'] });
const some = fc.array(recordOf, { maxLength: 30 }).map((all) => all.map((one, n) => ({ ...one, id: `r${n}` })));
/** Line ends in cells are shown as LF. */
const shown = (value: string) => value.replace(/\r\n?/g, '\n');
const shownIn = (row: FileRecord) =>
  Object.entries(row)
    .map(([name, value]) => `${name}: ${shown(String(value))}`)
    .toSorted();

describe('the records of a file', () => {
  it('are those of the download, in their order, whatever the size of a page', async () => {
    await fc.assert(
      fc.asyncProperty(some, fc.integer({ min: 1, max: 9 }), async (records, limit) => {
        const pages = await allOf(await contentOf(records, 'json'), 'json', limit);
        expect(pages.flat()).toEqual(JSON.parse(JSON.stringify(records)));
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      }),
    );
  });

  it('of a CSV file are its rows by the names of the columns, without empty cells', async () => {
    await fc.assert(
      fc.asyncProperty(some, fc.integer({ min: 1, max: 9 }), async (records, limit) => {
        const pages = await allOf(await contentOf(records, 'csv'), 'csv', limit);
        expect(pages.flat().map(shownIn)).toEqual(records.map(shownIn));
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      }),
    );
  });

  it('that are large have pages of 1 MiB, or of one record', async () => {
    const records = Array.from({ length: 5 }, (_, n) => ({
      name: 'x'.repeat(n === 1 ? 2_000_000 : 500_000),
      id: `r${n}`,
    }));
    const pages = await allOf(await contentOf(records, 'json'), 'json', 100);
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['r0'], ['r1'], ['r2', 'r3'], ['r4']]);
  });

  it.each(['json', 'csv'] as const)('of a file without records are none: %s', async (format) => {
    expect(await pageOf(await contentOf([], format), format, { limit: 9 })).toEqual({ items: [] });
  });
});

describe('a cursor', () => {
  const refused = { status: 400, code: 'invalid-cursor' };
  const at = (byte: string, list = 'FILE#acme#42#1') => encodeCursor(list, { byte });

  it.each([
    ['inside of a record', at('3')],
    ['at the end of the file', at('26')],
    ['that is no number', at('1e')],
    ['that is negative', at('-1')],
    ['with a fraction', at('1.5')],
    ['of another file', at('13', 'FILE#acme#42#2')],
    ['of another tenant', at('13', 'FILE#umbrella#42#1')],
    ['that was made up', 'abc'],
  ])('%s is refused', async (_what, cursor) => {
    const content = Buffer.from('{"id":"r-0"}\n{"id":"r-1"}\n');
    expect(content).toHaveLength(26);
    expect((await pageOf(content, 'json', { limit: 1, cursor: at('13') })).items).toEqual([{ id: 'r-1' }]);
    await expect(pageOf(content, 'json', { limit: 1, cursor })).rejects.toMatchObject(refused);
  });
});

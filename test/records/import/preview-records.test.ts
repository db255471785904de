import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewRecords } from '../../../functions/records/import/preview-records.ts';
import type { ImportMap } from '../../../shared/import/uploads/upload-schemas.ts';

interface Options {
  readonly name?: string;
  readonly map?: ImportMap;
  /** The length of the beginning that is sent. @default all of it */
  readonly sent?: number;
}

const preview = (content: string | Uint8Array, { name = 'a.csv', map, sent }: Options = {}) => {
  const bytes = Buffer.from(content);
  const head = bytes.subarray(0, sent ?? bytes.length).toString('base64');
  return previewRecords('businesses', {
    name,
    bytes: bytes.length,
    head,
    ...(map && { map }),
  });
};

describe('the preview of a file of records', () => {
  it('has the columns with a field for each, and the rows as records or with the reasons', async () => {
    const { columns, rows, fields, fault } = await preview('id,Name,Zip\na,Ann,1\nb b,Bob,\n');
    expect(columns).toEqual([
      { name: 'id', suggestion: 'id' },
      { name: 'Name', suggestion: 'name' },
      { name: 'Zip', suggestion: 'postalCode' },
    ]);
    expect(rows).toMatchObject([
      {
        line: 2,
        reason: expect.stringContaining('Name does not exist'),
        cells: ['a', 'Ann', '1'],
      },
      {
        line: 3,
        reason: expect.stringContaining('id is 1 to 64'),
        cells: ['b b', 'Bob', ''],
      },
    ]);
    expect(fields).toContain('postalCode');
    expect(fault).toBeUndefined();
    const map = {
      columns: { Name: 'name', Zip: 'postalCode' },
      constants: { country: 'US' },
    };
    expect((await preview('id,Name,Zip\na,Ann,1\nb b,Bob,\n', { map })).rows).toMatchObject([
      {
        line: 2,
        item: { id: 'a', name: 'Ann', postalCode: '1', country: 'US' },
      },
      { line: 3, reason: expect.stringContaining('id is 1 to 64') },
    ]);
  });

  it('reads a mebibyte at most of what a small file inflates to', async () => {
    const row = 'a,Ann\n';
    const content = gzipSync(`id,name\n${row}${' '.repeat(4_000_000)}\n${row}`);
    expect(content.length).toBeLessThan(48 * 1024);
    const { rows, fault } = await preview(content, { name: 'a.csv.gz' });
    expect([rows.length, fault]).toEqual([1, undefined]);
  });

  it('says that compressed data is damaged, also if only the beginning of it is there', async () => {
    const content = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(3_000, 0x61)]);
    for (const sent of [1_000, 3_002]) {
      expect((await preview(content, { name: 'a.csv.gz', sent })).fault).toMatch(/^The gzip data is damaged/);
    }
  });

  it('shows a thousand characters of each cell of a rejected row', async () => {
    const { rows } = await preview(`id,Name\n${'x'.repeat(5_000)},b\n`);
    expect(rows).toMatchObject([{ cells: ['x'.repeat(1_000), 'b'] }]);
  });

  it('refuses a header that would not fit beside its import, however many names it has', async () => {
    const names = Array.from({ length: 12_000 }, (_, n) => `column${n}`);
    expect((await preview(`${names.join(',')}\n`)).fault).toBe('The header of the file is longer than 64 KiB.');
  });

  it('has the members of JSON lines as columns, and deletions', async () => {
    const lines = '{"id":"a","name":"A"}\n\n{"id":"b","_deleted":true}\n[1]\n{"label":"C"}\n';
    const { columns, rows } = await preview(lines, { name: 'a.ndjson' });
    expect(columns.map(({ name }) => name)).toEqual(['id', 'name', '_deleted', 'label']);
    expect(rows).toMatchObject([
      { line: 1, item: { id: 'a', name: 'A' } },
      { line: 3, deletedId: 'b' },
      { line: 4, reason: expect.any(String), text: '[1]' },
      {
        line: 5,
        reason: expect.stringContaining('label does not exist'),
        text: '{"label":"C"}',
      },
    ]);
  });

  it('says why the file cannot be used, or which fields of the map there are not, and shows the rest all the same', async () => {
    expect(await preview('id,id\n1,2\n')).toMatchObject({
      rows: [],
      fault: expect.stringContaining('"id" twice'),
    });
    const map = { columns: { Name: 'nam', Town: 'city' }, constants: { land: 'US', country: 'US' } };
    const wrong = await preview('id,Name,Town\na,A,Rome\n', { map });
    expect(wrong).toMatchObject({
      unknownFields: {
        nam: 'nam does not exist in business schema; did you mean name?',
        land: 'land does not exist in business schema',
      },
      rows: [{ line: 2, item: { id: 'a', city: 'Rome', country: 'US' } }],
    });
    expect(wrong.fault).toBeUndefined();
    expect(wrong.columns.map(({ name }) => name)).toEqual(['id', 'Name', 'Town']);
  });

  const names = Array.from({ length: 400 }, (_, n) => `id-${n},Name ${n}`).join('\n');
  it('shows ten rows of a long file, compressed or not, and never the one that the beginning cuts', async () => {
    const csv = `id,name\n${names}\n`;
    const [plain, zipped] = [await preview(csv), await preview(gzipSync(csv), { name: 'a.csv.gz' })];
    expect(plain.rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(zipped).toEqual(plain);
    const cut = await preview(csv, {
      sent: 'id,name\nid-0,Name 0\nid-1,Nam'.length,
    });
    expect([cut.rows.length, cut.fault]).toEqual([1, undefined]);
    expect(await preview(csv, { sent: 4 })).toMatchObject({
      columns: [],
      rows: [],
    });
    const cutZip = await preview(gzipSync(csv), {
      name: 'a.csv.gz',
      sent: 200,
    });
    expect(cutZip.fault).toBeUndefined();
    expect(plain.rows.slice(0, cutZip.rows.length)).toEqual(cutZip.rows);
  });

  it('of any beginning of any file has the first rows of the whole file', async () => {
    const cell = fc.stringMatching(/^[a-z",\n\r é]{0,6}$/);
    const file = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(',')));
    await fc.assert(
      fc.asyncProperty(file, fc.boolean(), fc.nat(200), async (lines, isCsv, sent) => {
        const content = `${isCsv ? 'id,name\n' : ''}${lines.join('\n')}`;
        const name = isCsv ? 'a.csv' : 'a.ndjson';
        const whole = await preview(content, { name });
        const part = await preview(content, { name, sent });
        expect(whole.rows.slice(0, part.rows.length)).toEqual(part.rows);
        if (sent >= Buffer.byteLength(content)) expect(part).toEqual(whole);
        else expect(part.fault).toBeUndefined();
      }),
    );
  });
});

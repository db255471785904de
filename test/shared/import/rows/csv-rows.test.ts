import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Row, rowsOf } from '../../../../shared/import/rows/csv-rows.ts';
import { linesOf } from '../../../../shared/import/rows/lines.ts';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 11) yield bytes.subarray(at, at + 11);
}

const read = (text: string): Promise<Row[]> => Array.fromAsync(rowsOf(linesOf(bytesOf(text))));
const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

describe('rows of a CSV file', () => {
  it('are what another RFC 4180 parser gives', async () => {
    const cell = fc.array(fc.constantFrom('a', 'b ', '"', ',', '\n', 'é', '1')).map((parts) => parts.join(''));
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const text = rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
        const result = await read(text);
        expect(result.map((row) => row.cells)).toEqual(rows);
        expect(result.map((row) => row.cells)).toEqual(parse(text, { relax_column_count: true }));
      }),
      { numRuns: 500 },
    );
  });

  it('cost only their own line when they are bad', async () => {
    const rows = await read('a,b\n1,"abc"d\n2,ok\n5,12" pipe\n3,"never closed\n4,ok\n');
    expect(rows.map(({ line, cells, fault }) => fault ?? [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      'text follows a closing quote',
      [3, '2', 'ok'],
      [4, '5', '12" pipe'],
      'a quote is not closed',
      [6, '4', 'ok'],
    ]);
  });

  it('do not swallow a large file after one open quote', async () => {
    const rest = Array.from({ length: 100_000 }, (_, i) => `${i},some more text here`).join('\n');
    const rows = await read(`x,"open\n${rest}\n`);
    expect(rows).toHaveLength(100_001);
    expect(rows[0]?.fault).toBe('a quote is not closed');
    expect(rows.slice(1).every((row) => row.fault === undefined)).toBe(true);
  });

  it('can be resumed from the end of any row', async () => {
    const text = 'a,b\n"x\ny",2\n3,"bad"4\n5,6\n';
    const rows = await read(text);
    for (const [i, { end }] of rows.entries()) {
      const rest = linesOf(bytesOf(Buffer.from(text).subarray(end.byte).toString()), end);
      expect(await Array.fromAsync(rowsOf(rest))).toEqual(rows.slice(i + 1));
    }
  });

  it('are read, or refused by value, whatever the text', async () => {
    const piece = fc.constantFrom('"', '""', ',', '\n', '\r', 'a', ' ');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const rows = await read(pieces.join(''));
        expect(rows.every((row) => (row.fault === undefined) === row.cells.length > 0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { csvRecords, lines, wrongCounts } from '../../../functions/records/commands/record-count.ts';

/** The text in pieces that split rows and characters. */
const pieces = (text: string) => Readable.from(text.match(/[^]{1,3}/g)?.map((one) => Buffer.from(one)) ?? []);

describe('records of a JSON file', () => {
  it.each([
    ['', 0],
    ['{"a":1}\n', 1],
    ['{"a":1}\n{"b":2}\n', 2],
    ['{"a":1}\n{"b":2}', 2],
  ])('%j are %i lines', async (text, count) => {
    expect(await lines(pieces(text))).toBe(count);
  });
});

describe('records of a CSV file', () => {
  it.each([
    ['nothing but its header', 'id,name\n', 0],
    ['one row each', 'id,name\n"a","x"\n"b","y"\n', 2],
    ['several rows of one record', 'id,name\n"a","x"\n"a","y"\n"b","z"\n"b",\n', 2],
    ['line breaks, quotes and commas in cells', 'id,name\n"a","x\n""b"",1"\n"c","\n\n"\n', 2],
    ['an id with a comma', 'id\n"a,1"\n"a,2"\n', 2],
  ])('are counted by their ids: %s', async (_what, text, count) => {
    expect(await csvRecords(pieces(text))).toBe(count);
  });

  it('cannot be counted in a file that was cut in a cell', async () => {
    await expect(csvRecords(pieces('id,name\n"a","x'))).rejects.toThrow('Quote');
  });
});

describe('the counts of a download', () => {
  const request = { numDownloaded: 25_000, numRequested: 25_000 };

  it('are right when every file but the last is full and the sum is what was delivered', () => {
    const counts = [
      [1, 10_000],
      [2, 10_000],
      [3, 5_000],
    ] as const;
    expect(wrongCounts(request, new Map(counts))).toEqual([]);
  });

  it('are right for the files that came before a download failed', () => {
    expect(wrongCounts({ ...request, numDownloaded: 5_000 }, new Map([[3, 5_000]]))).toEqual([]);
    expect(wrongCounts({ numDownloaded: 0, numRequested: 0 }, new Map())).toEqual([]);
  });

  it('name the file that is short and the sum that is missing', () => {
    const counts = [
      [1, 10_000],
      [2, 9_999],
      [3, 5_000],
    ] as const;
    expect(wrongCounts(request, new Map(counts))).toEqual([
      'File 2 has 9999 records instead of 10000. Delete it and run this again.',
      '24999 records arrived, but the service says it delivered 25000.',
    ]);
    expect(wrongCounts(request, new Map(counts.slice(0, 1)))).toHaveLength(1);
  });
});

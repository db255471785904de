import { describe, expect, it } from 'vitest';
import { fileBytes } from '../../../functions/records/download/record-file.ts';
import { csvHeader, csvRows } from '../../../functions/records/schemas/csv.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { projectJson, type View, viewNamed } from '../../../functions/records/schemas/view.ts';

const MANY = 1_200;

/** Text of one, two, three and four bytes in UTF-8, half a character, and a record longer than one chunk. */
const RECORDS: readonly DataRecord[] = [
  { name: 'Plain', id: 'a' },
  { city: 'León', name: 'ア"ア"', id: 'b' },
  { name: '🍕 \ud83c \n', id: 'c' },
  { name: 'ア'.repeat(600_000), reviews: Array.from({ length: 5 }, (_, n) => ({ rating: n })), id: 'd' },
  ...Array.from({ length: MANY }, (_, n) => ({ address: 'é'.repeat(n), id: `e${n}` })),
];

const LINES = RECORDS.map((record) => `${JSON.stringify(record)}\n`);

function named(name: string): View {
  const view = viewNamed('businesses', name);
  if (!view) throw new Error(`no view ${name}`);
  return view;
}

async function* portions() {
  for (const lines of [LINES.slice(0, 2), [], LINES.slice(2)]) {
    yield { bytes: Buffer.from(lines.join('')), records: lines.length };
  }
}

async function chunksOf(view: View, format: 'json' | 'csv'): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of fileBytes(portions(), view, { format, csvFormulas: 'guarded' }))
    chunks.push(Buffer.from(chunk));
  return chunks;
}

describe('a file', () => {
  it('of the full view in JSON is the records as they are stored', async () => {
    expect(Buffer.concat(await chunksOf(named('businesses_all'), 'json')).equals(Buffer.from(LINES.join('')))).toBe(
      true,
    );
  });

  it('of another view in JSON is each record in the view', async () => {
    const view = named('businesses_basic');
    const expected = RECORDS.map((record) => `${JSON.stringify(projectJson(record, view))}\n`).join('');
    expect(Buffer.concat(await chunksOf(view, 'json')).equals(Buffer.from(expected))).toBe(true);
  });

  it.each(['businesses_all', 'businesses_all_nested', 'businesses_all_reviewsFlat'])(
    'of %s in CSV is the header and the rows',
    async (name) => {
      const view = named(name);
      const rows = RECORDS.flatMap((record) => csvRows(record, view, 'guarded'));
      const expected = [csvHeader(view), ...rows].map((row) => `${row}\n`).join('');
      expect(Buffer.concat(await chunksOf(view, 'csv')).equals(Buffer.from(expected))).toBe(true);
    },
  );

  it('comes in chunks that are neither empty nor, but for a single record, large', async () => {
    const chunks = await chunksOf(named('businesses_all_nested'), 'csv');
    const sizes = chunks.map(({ length }) => length);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.filter((size) => size > 1 << 20)).toHaveLength(1);
    expect(sizes.length).toBeLessThan(15);
  });
});

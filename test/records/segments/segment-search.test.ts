import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Query } from '../../../functions/records/query/query.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { changes, query, SCHEMA } from './generated.ts';
import { type Change, MemoryIndex } from './memory-index.ts';
import { NaiveIndex } from './naive-search.ts';

const RUNS = isThorough ? 200 : 15;
const EVERYTHING = 1_000_000;

/** Imports the changes into both indexes, one segment each. */
async function indexed(imports: readonly (readonly Change[])[]) {
  const index = new MemoryIndex(SCHEMA);
  const naive = new NaiveIndex(SCHEMA);
  for (const changes of imports) {
    await index.import(changes);
    naive.import(changes);
  }
  return { index, naive };
}

async function expectSame(index: MemoryIndex, naive: NaiveIndex, queries: readonly Query[]): Promise<void> {
  const cache = new SegmentCache(1 << 20);
  for (const query of queries) {
    const expected = naive.search(query).map((record) => JSON.stringify(record));
    for (const { smallBytes, roundsMax } of [
      { smallBytes: 0, roundsMax: 3 },
      { smallBytes: 1 << 20, roundsMax: 1 },
    ]) {
      const rounds: number[] = [];
      const onRound = (reads: readonly object[]) => rounds.push(reads.length);
      const cold = segmentSearch(index.storage, new SegmentCache(0), { onRound, smallBytes });
      const { total, records } = await cold.preview(query, EVERYTHING, index.manifest.segments);
      expect(records).toEqual(expected);
      expect(total).toBe(expected.length);
      expect(rounds.length).toBeLessThanOrEqual(roundsMax);
    }

    const warm = segmentSearch(index.storage, cache);
    const counts = (await warm.counts(query, index.manifest.segments)) ?? [];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expected.length);
    for (const from of [0, 1, 5]) {
      const range = { from, to: expected.length - from };
      const lines = await Array.fromAsync(warm.lines(query, index.manifest.segments, counts, range));
      const slice = expected.slice(range.from, Math.max(range.from, range.to));
      expect(Buffer.concat(lines.map(({ bytes }) => bytes)).toString()).toBe(slice.map((one) => `${one}\n`).join(''));
      expect(lines.reduce((sum, { records }) => sum + records, 0)).toBe(slice.length);
    }
    expect((await warm.preview(query, 3, index.manifest.segments)).records).toEqual(expected.slice(0, 3));
    for (const most of [1, 3, EVERYTHING]) {
      const { total, records } = await warm.sample(query, most, index.manifest.segments);
      const step = Math.max(1, expected.length / most);
      const positions = Array.from({ length: Math.min(most, expected.length) }, (_, n) => Math.floor(n * step));
      expect([total, records]).toEqual([expected.length, positions.map((at) => expected[at])]);
    }
  }
}

test('any query over any imports finds exactly the records that looking at each of them finds, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(changes, { maxLength: 4 }),
      fc.array(query, { minLength: 12, maxLength: 12 }),
      async (imports, queries) => {
        const { index, naive } = await indexed(imports);
        await expectSame(index, naive, queries);
      },
    ),
    { numRuns: RUNS },
  );
});

test('merging changes neither what is found nor the order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(changes, { minLength: 1, maxLength: 5 }),
      fc.array(query, { minLength: 12, maxLength: 12 }),
      fc.array(fc.record({ at: fc.nat(), count: fc.integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 3 }),
      changes,
      async (imports, queries, merges, later) => {
        const { index, naive } = await indexed(imports);
        for (const { at, count } of merges) await index.merge(at % index.manifest.segments.length, count);
        await expectSame(index, naive, queries);
        await index.import(later);
        naive.import(later);
        await index.merge(0, index.manifest.segments.length);
        await expectSame(index, naive, queries);
      },
    ),
    { numRuns: RUNS },
  );
});

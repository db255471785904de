import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../functions/records/query/read-query.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { rankingSettings } from '../../../functions/records/search/ranking-settings.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { MemoryIndex } from '../segments/memory-index.ts';

type Business = Partial<Record<'name' | 'city' | 'address', string>> & { readonly categories?: readonly string[] };

/** An index of businesses in segments, one for each list. The id of each is its number. */
async function indexOf(...segments: readonly (readonly Business[])[]): Promise<MemoryIndex> {
  const index = new MemoryIndex(SCHEMAS.businesses);
  let number = 0;
  for (const businesses of segments) {
    await index.import(businesses.map((one): DataRecord => ({ id: String(number++).padStart(3, '0'), ...one })));
  }
  return index;
}

function queryOf(text: string) {
  const read = readQuery(text, 'businesses');
  if (!read.ok) throw new Error(read.message);
  return read.query;
}

async function best(index: MemoryIndex, text: string, limit = 10) {
  const search = segmentSearch(index.storage, new SegmentCache(1 << 20));
  const { total, records } = await search.preview(
    queryOf(text),
    limit,
    index.manifest.segments,
    rankingSettings('businesses'),
  );
  return { total, records: records.map((record) => JSON.parse(record) as Business & { id: string }) };
}

const namesOf = ({ records }: { records: readonly Business[] }) => records.map(({ name }) => name);

describe('records by relevance', () => {
  it('have those with all words first, in their names, then in name and city', async () => {
    const denver = Array.from({ length: 50 }, (_, n) => ({ name: `Hotel ${n}`, city: 'Denver' }));
    const index = await indexOf(
      [...denver, { name: 'Golden Spoon', city: 'Austin' }],
      [
        { name: 'The Golden Hotel', city: 'Austin' },
        { name: 'Golden Hotel Austin', city: 'Dallas' },
      ],
    );
    const preview = await best(index, 'golden hotel austin');
    expect(preview.total).toBe(53);
    expect(namesOf(preview).slice(0, 3)).toEqual(['Golden Hotel Austin', 'The Golden Hotel', 'Golden Spoon']);
  });

  it('have the one first whose name is the query, although many names hold it', async () => {
    const others = Array.from({ length: 200 }, (_, n) => ({ name: `Marriott Courtyard ${n}`, city: 'Aachen' }));
    const index = await indexOf(others, [{ name: 'Marriott', city: 'Zwolle' }]);
    expect(namesOf(await best(index, 'marriott', 1))).toEqual(['Marriott']);
  });

  it('count a rare word for more than a common one, and a name for more than an address', async () => {
    const inns = Array.from({ length: 60 }, (_, n) => ({ name: `Inn ${n}` }));
    const index = await indexOf([
      ...inns,
      { name: 'Zebra', address: 'Inn Road' },
      { name: 'Hall', address: 'Zebra Way' },
    ]);
    expect(namesOf(await best(index, 'zebra inn')).slice(0, 2)).toEqual(['Zebra', 'Hall']);
  });

  it('stand in the order of the index where the query has filters alone', async () => {
    const index = await indexOf(
      [
        { name: 'B', city: 'Y' },
        { name: 'A', city: 'X' },
      ],
      [{ name: 'C', city: 'A' }],
    );
    const { records } = await segmentSearch(index.storage, new SegmentCache(1 << 20)).preview(
      queryOf('name:*'),
      10,
      index.manifest.segments,
    );
    expect((await best(index, 'name:*')).records).toEqual(records.map((record) => JSON.parse(record)));
  });

  it('leave out what is negated, and need three rounds of reads at most', async () => {
    const index = await indexOf([{ name: 'Red House' }, { name: 'Red Barn' }], [{ name: 'House' }]);
    const rounds: number[] = [];
    const search = segmentSearch(index.storage, new SegmentCache(0), { onRound: (reads) => rounds.push(reads.length) });
    const preview = await search.preview(
      queryOf('red AND -barn'),
      10,
      index.manifest.segments,
      rankingSettings('businesses'),
    );
    expect(preview.records.map((record) => JSON.parse(record).name)).toEqual(['Red House']);
    expect(rounds.length).toBeLessThanOrEqual(3);
  });

  const word = fc.constantFrom('red', 'blue', 'inn', 'house', 'zebra', 'old');
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
  const business = fc.record({ name: text, city: word, address: text }, { requiredKeys: ['name'] });

  it('are those that match, each once, however they are cut into segments, with the same total', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(business, { minLength: 1, maxLength: 30 }),
        fc.nat(30),
        text,
        async (businesses, cut, query) => {
          const one = await best(await indexOf(businesses), query, 100);
          const index = await indexOf(businesses.slice(0, cut), businesses.slice(cut));
          const two = await best(index, query, 100);
          const plain = await segmentSearch(index.storage, new SegmentCache(1 << 20)).preview(
            queryOf(query),
            100,
            index.manifest.segments,
          );
          const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id).sort();
          expect(ids(two.records)).toEqual(ids(plain.records.map((record) => JSON.parse(record))));
          expect(two.total).toBe(plain.total);
          // Records of one score stand in the order of the index, which depends on the segments.
          expect(ids(one.records)).toEqual(ids(two.records));
          if (cut > 0 && cut < businesses.length) {
            await index.merge(0, 2);
            expect((await best(index, query, 100)).records).toEqual(two.records);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

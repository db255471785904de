import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { idleMergeCandidates, mergeCandidates } from '../../../functions/records/index/choose-merge.ts';
import { type Query, TooManyTerms } from '../../../functions/records/query/query.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { SegmentBuilder } from '../../../functions/records/segments/build/segment-builder.ts';
import {
  dataKey,
  metaKey,
  tombstonesKey,
  UnreadableSegment,
} from '../../../functions/records/segments/format/format.ts';
import {
  addTombstones,
  decodeTombstones,
  encodeTombstones,
  noTombstones,
  tombstonesSince,
} from '../../../functions/records/segments/format/tombstones.ts';
import { findIds } from '../../../functions/records/segments/query/find-ids.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { SCHEMA } from './generated.ts';
import { MemoryIndex } from './memory-index.ts';

const ALL: Query = { kind: 'all' };

async function indexOf(...imports: readonly (DataRecord | string)[][]): Promise<MemoryIndex> {
  const index = new MemoryIndex(SCHEMA);
  for (const changes of imports) await index.import(changes);
  return index;
}

const searchIn = (index: MemoryIndex, query: Query, limit = 10) =>
  segmentSearch(index.storage, new SegmentCache(0)).preview(query, limit, index.manifest.segments);

const idsIn = async (index: MemoryIndex, query: Query) =>
  (await searchIn(index, query, 1000)).records.map((text) => JSON.parse(text).id);

const numbered = (count: number): DataRecord[] =>
  Array.from({ length: count }, (_, n) => ({ id: `r${n}`, name: `word${n} common`, rooms: n % 7 }));

test('a segment without records is found empty by every kind of query', async () => {
  const index = await indexOf(['gone']);
  expect(index.manifest.segments[0]?.records).toBe(0);
  expect(await searchIn(index, ALL)).toEqual({ total: 0, records: [] });
  expect(await searchIn(index, { kind: 'not', of: { kind: 'term', path: 'name', term: 'a' } })).toEqual({
    total: 0,
    records: [],
  });
});

test('a manifest without segments answers without reading', async () => {
  expect(await searchIn(new MemoryIndex(SCHEMA), ALL)).toEqual({ total: 0, records: [] });
});

test('a single record is found by its words and comes back as it was indexed', async () => {
  const record = { id: 'only', name: 'Größe "M"\n', keys: ['K/1'] };
  const index = await indexOf([record]);
  expect(await searchIn(index, { kind: 'term', path: 'name', term: 'größe' })).toEqual({
    total: 1,
    records: [JSON.stringify(record)],
  });
});

test('values of a megabyte are found whole', async () => {
  const long = `http://x/${'ab'.repeat(500_000)}`;
  const index = await indexOf([
    { id: 'a', keys: [long, `${long}c`] },
    { id: 'b', keys: [`${long}d`], name: 'w '.repeat(100_000) },
  ]);
  expect(await idsIn(index, { kind: 'term', path: 'keys', term: long })).toEqual(['a']);
  expect(await idsIn(index, { kind: 'prefix', path: 'keys', prefix: long })).toEqual(['a', 'b']);
  await index.merge(0, 1);
  expect(await idsIn(index, { kind: 'term', path: 'keys', term: `${long}d` })).toEqual(['b']);
  expect(await idsIn(index, { kind: 'phrase', path: 'name', terms: ['w', 'w'] })).toEqual(['b']);
});

test('ids that differ only in case are different records', async () => {
  const index = await indexOf(
    [
      { id: 'AbC', name: 'one' },
      { id: 'abc', name: 'two' },
    ],
    [{ id: 'AbC', name: 'three' }],
  );
  expect(await idsIn(index, { kind: 'term', path: 'id', term: 'abc' })).toEqual(['abc', 'AbC']);
  expect(await idsIn(index, { kind: 'term', path: 'name', term: 'one' })).toEqual([]);
});

test('an id is found in a segment of many blocks exactly when the segment has it', async () => {
  const index = await indexOf(numbered(5000));
  const [ref] = index.manifest.segments;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(9999), { maxLength: 40 }), async (numbers) => {
      const ids = numbers.map((n) => `r${n}`).sort();
      const ordinals = await findIds(ids, ref!, index.storage);
      expect(ordinals.length).toBe(numbers.filter((n) => n < 5000).length);
      expect([...ordinals]).toEqual([...ordinals].sort((a, b) => a - b));
    }),
  );
});

test('records of many blocks are found by number, word and phrase before and after deleting every third', async () => {
  const records = numbered(5000);
  const index = await indexOf(records);
  expect((await searchIn(index, { kind: 'phrase', path: 'name', terms: ['word77', 'common'] })).total).toBe(1);
  expect((await searchIn(index, { kind: 'term', path: 'name', term: 'common' })).total).toBe(5000);
  await index.import(records.filter((_, n) => n % 3 === 0).map(({ id }) => id));
  await index.merge(0, 2);
  const rooms = {
    kind: 'numberRange',
    path: 'rooms',
    from: 2,
    fromInclusive: true,
    to: 4,
    toInclusive: false,
  } as const;
  const expected = records.filter((_, n) => n % 3 !== 0 && (n % 7 === 2 || n % 7 === 3)).map(({ id }) => id);
  expect((await searchIn(index, rooms, 5000)).records.map((text) => JSON.parse(text).id)).toEqual(expected.sort());
  expect(index.manifest.segments[0]?.records).toBe(records.filter((_, n) => n % 3 !== 0).length);
});

test('a phrase is found by pairs where both words are frequent and by positions where one is rare, also after merges', async () => {
  // In the first import "rare" is in one record of 3,000, in the second in every one: frequent only there.
  const many = Array.from({ length: 3000 }, (_, n) => ({
    id: `m${n}`,
    name: n === 77 ? 'big rare inn' : 'big red inn',
  }));
  const few = Array.from({ length: 5 }, (_, n) => ({
    id: `f${n}`,
    name: n === 1 ? 'inn big rare' : 'big rare red inn',
  }));
  const index = await indexOf(many, few);
  const total = async (...terms: string[]) => (await searchIn(index, { kind: 'phrase', path: 'name', terms })).total;
  const totals = async () =>
    await Promise.all([
      total('big', 'red'),
      total('big', 'rare'),
      total('big', 'red', 'inn'),
      total('big', 'rare', 'inn'),
      total('big', 'rare', 'red', 'inn'),
      total('red', 'big'),
    ]);
  expect(await totals()).toEqual([2999, 6, 2999, 1, 4, 0]);
  await index.merge(0, 2);
  expect(await totals()).toEqual([2999, 6, 2999, 1, 4, 0]);
});

test('a range over any part of a large column is answered exactly, also with a part of it deleted', async () => {
  const count = 30_000;
  const roomsOf = (n: number) => (n * 7919) % 10_007;
  const index = await indexOf(Array.from({ length: count }, (_, n) => ({ id: `r${n}`, rooms: roomsOf(n) })));
  const total = async (from: number, to: number, inclusive: boolean) => {
    const bounds = { from, fromInclusive: inclusive, to, toInclusive: inclusive };
    return (await searchIn(index, { kind: 'numberRange', path: 'rooms', ...bounds }, 0)).total;
  };
  const expectSame = async (isLeft: (n: number) => boolean) => {
    const left = Array.from({ length: count }, (_, n) => n)
      .filter(isLeft)
      .map(roomsOf);
    for (const [from, to] of [
      [-9, 10_007],
      [0, 9999],
      [5, 9000],
      [100, 101],
      [4000, 4000],
      [9000, 20_000],
      [9, 8],
    ] as const) {
      expect(await total(from, to, true)).toBe(left.filter((rooms) => rooms >= from && rooms <= to).length);
      expect(await total(from, to, false)).toBe(left.filter((rooms) => rooms > from && rooms < to).length);
    }
  };
  await expectSame(() => true);
  await index.import(Array.from({ length: count / 3 }, (_, n) => `r${n * 3}`));
  await expectSame((n) => n % 3 !== 0);
  await index.merge(0, 2);
  await expectSame((n) => n % 3 !== 0);
});

test('the matches of words, ranges and phrases are read once, and never include records deleted later', async () => {
  const index = await indexOf(numbered(3000));
  const rounds: number[] = [];
  const cache = new SegmentCache(1 << 22);
  const engine = segmentSearch(index.storage, cache, { onRound: (reads) => rounds.push(reads.length) });
  const range = { fromInclusive: true, toInclusive: true } as const;
  const queries: Query[] = [
    { kind: 'term', path: 'name', term: 'common' },
    { kind: 'prefix', path: 'name', prefix: 'word1' },
    { kind: 'phrase', path: 'name', terms: ['word17', 'common'] },
    { kind: 'numberRange', path: 'rooms', from: -Infinity, to: 2, ...range },
    { kind: 'numberRange', path: 'rooms', from: 2, to: Infinity, ...range },
    { kind: 'exists', path: 'rooms' },
    { kind: 'not', of: { kind: 'prefix', path: 'name', prefix: 'word1' } },
    {
      kind: 'or',
      of: [
        { kind: 'term', path: 'name', term: 'word17' },
        { kind: 'exists', path: 'rooms' },
      ],
    },
  ];
  const totals = async () => {
    const { segments } = index.manifest;
    const [warm, cold] = [engine, segmentSearch(index.storage, new SegmentCache(0))];
    const totalsNow = await Promise.all(queries.map(async (query) => (await warm.preview(query, 0, segments)).total));
    const expected = await Promise.all(queries.map(async (query) => (await cold.preview(query, 0, segments)).total));
    expect(totalsNow).toEqual(expected);
    return totalsNow;
  };
  const first = await totals();
  rounds.length = 0;
  expect(await totals()).toEqual(first);
  expect(rounds).toEqual([]);
  await index.import(['r17', 'r0', 'r100']);
  const [common = 0, prefix = 0, phrase = 0] = await totals();
  expect([common, prefix, phrase]).toEqual([first[0]! - 3, first[1]! - 2, 0]);
});

test('the matching records of a segment, read portion by portion, are those of a preview', async () => {
  const index = await indexOf(numbered(9000), ['r17', 'r4444']);
  const engine = segmentSearch(index.storage, new SegmentCache(1 << 20));
  for (const query of [ALL, { kind: 'prefix', path: 'name', prefix: 'word1' }, { kind: 'none' }] satisfies Query[]) {
    const counts = (await engine.counts(query, index.manifest.segments)) ?? [];
    const portions = await Array.fromAsync(engine.lines(query, index.manifest.segments, counts, { from: 0, to: 9000 }));
    const text = Buffer.concat(portions.map(({ bytes }) => bytes)).toString();
    expect(text.split('\n').slice(0, -1)).toEqual((await searchIn(index, query, 9000)).records);
    expect(Math.max(0, ...portions.map(({ records }) => records))).toBeLessThanOrEqual(4096);
  }
});

test('counting ends between segments when there is no time left', async () => {
  const index = await indexOf(numbered(20), numbered(300));
  const engine = segmentSearch(index.storage, new SegmentCache(1 << 20));
  expect(await engine.counts(ALL, index.manifest.segments, () => false)).toBeUndefined();
  expect(await engine.counts(ALL, index.manifest.segments, () => true)).toEqual([0, 300]);
});

test('a damaged object is refused with what is wrong, and nothing is found in it', async () => {
  const damage = async (key: (index: MemoryIndex) => string, change: (bytes: Uint8Array) => Uint8Array) => {
    const index = await indexOf(numbered(200), ['r1']);
    index.objects.set(key(index), change(new Uint8Array(index.objects.get(key(index))!)));
    return searchIn(index, { kind: 'term', path: 'name', term: 'common' });
  };
  const [meta, data] = [() => metaKey('s0'), () => dataKey('s0')];
  const tombstones = (index: MemoryIndex) => tombstonesKey(index.manifest.segments[0]!.tombstones!.id);
  const flipped = (at: number) => (bytes: Uint8Array) => bytes.with(at, bytes[at]! ^ 255);

  await expect(damage(meta, (bytes) => bytes.subarray(0, 5))).rejects.toThrow('meta of segment s0 is cut short');
  await expect(damage(meta, (bytes) => bytes.subarray(0, -1))).rejects.toThrow(
    'meta of segment s0 is damaged or cut short',
  );
  await expect(damage(meta, flipped(40))).rejects.toThrow('meta of segment s0 is damaged or cut short');
  await expect(damage(meta, flipped(0))).rejects.toThrow('meta of segment s0 has the wrong magic bytes');
  await expect(damage(meta, (bytes) => bytes.with(4, 9))).rejects.toThrow('has format version 9; this reads 2');
  await expect(damage(meta, (bytes) => bytes.with(5, 7))).rejects.toThrow('uses codec 7, which is unknown');
  await expect(damage(data, (bytes) => bytes.subarray(0, 50))).rejects.toThrow('data of segment s0 ends too early');
  await expect(damage(data, (bytes) => new Uint8Array(bytes.length))).rejects.toThrow(UnreadableSegment);
  await expect(damage(tombstones, flipped(0))).rejects.toThrow(UnreadableSegment);
  await expect(damage(tombstones, (bytes) => bytes.subarray(0, 6))).rejects.toThrow(UnreadableSegment);
});

test('the meta of another segment is refused', async () => {
  const index = await indexOf(numbered(20), numbered(300));
  index.objects.set(metaKey('s0'), index.objects.get(metaKey('s1'))!);
  await expect(searchIn(index, ALL)).rejects.toThrow('the meta of segment s0 belongs to another segment');
});

test('a wildcard that matches more than 1,024 terms is refused, over all segments together', async () => {
  const index = await indexOf(numbered(700), numbered(1400).slice(700));
  const any = {
    kind: 'wildcard',
    path: 'name',
    pattern: [{ any: 'run' }, { literal: 'ord' }, { any: 'run' }],
  } as const;
  await expect(searchIn(index, any)).rejects.toThrow(new TooManyTerms());
  const some = {
    kind: 'wildcard',
    path: 'name',
    pattern: [{ any: 'run' }, { literal: 'd11' }, { any: 'run' }],
  } as const;
  expect((await searchIn(index, some)).total).toBe(111);
});

test('a cache never exceeds its budget and drops the least recently used first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ key: fc.nat(20), size: fc.nat(3000), read: fc.boolean() })),
      fc.nat(10_000),
      (uses, budget) => {
        const cache = new SegmentCache(budget);
        for (const { key, size, read } of uses) {
          if (read) cache.get(`k${key}`);
          else cache.set(`k${key}`, new Uint8Array(size));
          expect(cache.bytes).toBeLessThanOrEqual(budget);
        }
      },
    ),
  );
  const cache = new SegmentCache(1000);
  for (const key of ['a', 'b', 'c']) cache.set(key, new Uint8Array(100));
  cache.get('a');
  cache.set('d', new Uint8Array(100));
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true]);
});

test('a query answered before is answered again without reading', async () => {
  const index = await indexOf(numbered(300), numbered(20));
  const rounds: number[] = [];
  const engine = segmentSearch(index.storage, new SegmentCache(1 << 20), {
    onRound: (reads) => rounds.push(reads.length),
  });
  const query: Query = { kind: 'prefix', path: 'name', prefix: 'wo' };
  const first = await engine.preview(query, 5, index.manifest.segments);
  rounds.length = 0;
  expect(await engine.preview(query, 5, index.manifest.segments)).toEqual(first);
  expect(rounds).toEqual([]);
});

test('a preview reads small data objects whole, in one round, but never more than 4 MiB of them', async () => {
  const random = () => randomBytes(400_000).toString('hex');
  const index = await indexOf(...Array.from({ length: 12 }, (_, n) => [{ id: `r${n}`, keys: [random()] }]));
  const { segments } = index.manifest;
  const previewed = async (smallBytes: number, refs = segments) => {
    const rounds: (readonly {
      readonly key: string;
      readonly bytes: number;
    }[])[] = [];
    const engine = segmentSearch(index.storage, new SegmentCache(0), {
      onRound: (reads) => rounds.push(reads),
      smallBytes,
    });
    return { rounds, found: await engine.preview(ALL, 12, refs) };
  };
  const dataOf = (round: readonly { readonly key: string; readonly bytes: number }[] = []) =>
    round.filter(({ key }) => key.endsWith('.seg'));
  const largest = Math.max(...segments.map(({ bytes }) => bytes));

  const byRanges = await previewed(0);
  expect(dataOf(byRanges.rounds[0])).toEqual([]);
  const some = await previewed(largest);
  expect(some.found).toEqual(byRanges.found);
  const whole = dataOf(some.rounds[0]);
  expect(whole.length).toBeGreaterThan(2);
  expect(whole.length).toBeLessThan(12);
  expect(whole.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(4 << 20);
  expect(dataOf(some.rounds[1])).toHaveLength(12 - whole.length);

  const few = await previewed(largest, segments.slice(0, 2));
  expect(few.found.total).toBe(2);
  expect(few.rounds).toHaveLength(1);
});

test('a builder keeps the last record of an id, counts each once, and forgets what is deleted after it', async () => {
  const builder = new SegmentBuilder(SCHEMA);
  builder.add({ id: 'a', name: 'first' });
  builder.add({ id: 'b' });
  builder.add({ id: 'a', name: 'second' });
  builder.addDeletion('b');
  builder.addDeletion('c');
  expect(builder.records).toBe(1);
  const built = await builder.finish({ write: async () => {} });
  expect(built.records).toBe(1);
  expect(built.touchedIds).toEqual(['a', 'b', 'c']);
});

test('what is deleted in the inputs while they merge is deleted in the merged segment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          records: fc.integer({ min: 1, max: 40 }),
          before: fc.array(fc.nat(39)),
          during: fc.array(fc.nat(39)),
        }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      async (inputs) => {
        const states = inputs.map(({ records, before, during }) => {
          const marks = (ordinals: number[]) => Uint32Array.from(new Set(ordinals.map((n) => n % records))).sort();
          const leftOut = addTombstones(noTombstones(records), marks(before));
          return { records, leftOut, now: addTombstones(leftOut, marks(during)) };
        });
        const since = tombstonesSince(
          states,
          states.map(({ now }) => now),
        );
        // Every record by name, in merged order, marked if it was deleted meanwhile.
        const has = (set: Uint32Array | readonly number[], n: number) => set.includes(n);
        const merged = states.flatMap(({ records, leftOut, now }, i) =>
          Array.from({ length: records }, (_, n) => n)
            .filter((n) => !has(listed(leftOut), n))
            .map((n) => ({ i, n, gone: has(listed(now), n) })),
        );
        const expected = merged.flatMap(({ gone }, ordinal) => (gone ? [ordinal] : []));
        expect(since ? listed(since) : []).toEqual(expected);
        expect(since?.records ?? merged.length).toBe(merged.length);
      },
    ),
  );
});

test('tombstones read back', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(999)), (ordinals) => {
      const tombstones = addTombstones(noTombstones(1000), Uint32Array.from(ordinals).sort());
      const read = decodeTombstones(encodeTombstones(tombstones), 't');
      expect(read.records).toBe(1000);
      expect(listed(read)).toEqual(ordinals.sort((a, b) => a - b));
    }),
  );
});

test('neighbours of similar size are merged, a large one is left until as much has accumulated beside it', () => {
  const choice = (...sizes: number[]) => {
    const segments = sizes.map((records, i) => ({ id: `s${i}`, records, bytes: 1, metaBytes: 1 }));
    return mergeCandidates(segments, { fanIn: 4, maxRecords: 1000 }).map(({ records }) => records);
  };
  expect(choice(10, 10, 10)).toEqual([]);
  expect(choice(10, 10, 10, 10)).toEqual([10, 10, 10, 10]);
  expect(choice(100, 1, 1, 1)).toEqual([]);
  expect(choice(100, 1, 1, 1, 1)).toEqual([1, 1, 1, 1]);
  expect(choice(100, 1, 1, 1, 100)).toEqual([]);
  expect(choice(100, 1, 1, 1, 100, 100)).toEqual([100, 1, 1, 1, 100, 100]);
  // Where there are many, doubling is enough.
  const many = Array.from({ length: 14 }, (_, n) => 600 + n);
  expect(choice(100, 1, 1, 1, 100, ...many)).toEqual([100, 1, 1, 1, 100]);
  expect(choice(300, 300, 300, 300)).toEqual([]);
});

test('an import of forty parts writes its records once more while it goes on, and never leaves more than 13 segments', () => {
  let segments: { id: string; records: number; bytes: number; metaBytes: number }[] = [];
  let merged = 0;
  for (let part = 0; part < 40; part += 1) {
    segments.push({ id: `p${part}`, records: 250_000, bytes: 1, metaBytes: 1 });
    for (;;) {
      const inputs = mergeCandidates(segments, { fanIn: 12, maxRecords: 12_500_000 });
      if (inputs.length === 0) break;
      const records = inputs.reduce((sum, input) => sum + input.records, 0);
      merged += records;
      segments = segments.toSpliced(segments.indexOf(inputs[0]!), inputs.length, { ...inputs[0]!, records });
    }
    expect(segments.length).toBeLessThanOrEqual(13);
  }
  expect(merged).toBeLessThanOrEqual(10_000_000);
});

test('when it is quiet as many neighbours are merged as imports have paid for', () => {
  const choice = (sizes: number[], written: { byImports: number; byMerges: number }) => {
    const segments = sizes.map((records, i) => ({ id: `s${i}`, records, bytes: 1, metaBytes: 1 }));
    return idleMergeCandidates({ segments, written }, { maxRecords: 1000 }).map(({ records }) => records);
  };
  const little = { byImports: 100, byMerges: 0 };
  expect(choice([100], little)).toEqual([]);
  expect(choice([80, 10, 10], little)).toEqual([80, 10, 10]);
  expect(choice([80, 10, 10], { byImports: 100, byMerges: 200 })).toEqual([80, 10, 10]);
  expect(choice([80, 10, 10], { byImports: 100, byMerges: 250 })).toEqual([10, 10]);
  expect(choice([80, 10, 10], { byImports: 100, byMerges: 290 })).toEqual([]);
  expect(choice([900, 90, 20, 5], { byImports: 1000, byMerges: 0 })).toEqual([90, 20, 5]);
});

test('merging when it is quiet never makes the records written more than four times those imported', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 }), (imports) => {
      let segments: { id: string; records: number; bytes: number; metaBytes: number }[] = [];
      const written = { byImports: 0, byMerges: 0 };
      const ref = (records: number) => ({
        id: `s${written.byImports + written.byMerges}`,
        records,
        bytes: 1,
        metaBytes: 1,
      });
      for (const records of imports) {
        written.byImports += records;
        segments.push(ref(records));
        for (;;) {
          const inputs = idleMergeCandidates({ segments, written }, { maxRecords: 5000 });
          if (inputs.length === 0) break;
          const total = inputs.reduce((sum, one) => sum + one.records, 0);
          written.byMerges += total;
          segments = segments.toSpliced(segments.indexOf(inputs[0]!), inputs.length, ref(total));
        }
        expect(written.byImports + written.byMerges).toBeLessThanOrEqual(4 * written.byImports);
      }
      expect(segments.reduce((sum, one) => sum + one.records, 0)).toBe(written.byImports);
    }),
  );
});

test('a segment of which half is deleted is rewritten alone', () => {
  const segments = [
    { id: 'a', records: 10, bytes: 1, metaBytes: 1, tombstones: { id: 't', deleted: 4 } },
    { id: 'b', records: 10, bytes: 1, metaBytes: 1, tombstones: { id: 'u', deleted: 5 } },
  ];
  const [only, ...others] = mergeCandidates(segments, { fanIn: 4, maxRecords: 1000 });
  expect([only?.id, others]).toEqual(['b', []]);
});

function listed({ records, deleted }: ReturnType<typeof noTombstones>): number[] {
  const all = deleted.kind === 'list' ? [...deleted.ordinals] : Array.from({ length: records }, (_, n) => n);
  return deleted.kind === 'list' ? all : all.filter((n) => ((deleted.words[n >>> 5]! >>> (n & 31)) & 1) === 1);
}

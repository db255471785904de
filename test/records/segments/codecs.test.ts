import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { words } from '../../../functions/records/query/index-terms.ts';
import { TermNumbers, TermTable } from '../../../functions/records/segments/build/term-table.ts';
import { ByteReader, ByteWriter, Uint32List, Uint32Pages } from '../../../functions/records/segments/format/bytes.ts';
import { UnreadableSegment } from '../../../functions/records/segments/format/format.ts';
import { sortColumn } from '../../../functions/records/segments/format/numbers.ts';
import { ordinalsOf, sizeOf, wordsFor } from '../../../functions/records/segments/format/ordinal-set.ts';
import { PositionsCursor, PositionsWriter } from '../../../functions/records/segments/format/positions.ts';
import { addPostings, readPostings, writePostings } from '../../../functions/records/segments/format/postings.ts';
import { separator, TermBlock, TermBlockWriter } from '../../../functions/records/segments/format/term-block.ts';
import {
  compareBytes,
  prefixSpan,
  type TermSlice,
  termBytes,
  termText,
} from '../../../functions/records/segments/format/term-bytes.ts';
import { globTest } from '../../../functions/records/segments/query/glob.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

/** Any code units, lone surrogates included; often alike at the beginning. */
const TERM = fc.oneof(
  fc.string({ unit: CODE_POINT, maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.constantFrom('http://www.example/', 'a', 'a\u0000'), fc.string({ maxLength: 6 }))
    .map((parts) => parts.join('')),
);
const TERMS = fc.uniqueArray(TERM, { maxLength: 300 });
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const textOf = ({ bytes, from, to }: TermSlice): string => termText(bytes.subarray(from, to));

/** The term somewhere inside a larger array. */
function slice(term: string): TermSlice {
  const bytes = termBytes(`x${term}y`);
  return { bytes, from: 1, to: bytes.length - 1 };
}

/** Ordinals of a segment, sparse, dense or in runs. */
const ORDINALS = fc
  .record({
    records: fc.integer({ min: 1, max: 3000 }),
    runs: fc.array(fc.tuple(fc.nat(2999), fc.oneof(fc.constant(1), fc.nat(400))), { maxLength: 40 }),
  })
  .map(({ records, runs }) => {
    const ordinals = runs.flatMap(([start, length]) => Array.from({ length }, (_, i) => start + i));
    return { records, ordinals: [...new Set(ordinals.filter((n) => n < records))].sort((a, b) => a - b) };
  });

test('a varint reads back as any whole number up to 2^53', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), (numbers) => {
      const writer = new ByteWriter(1);
      for (const number of numbers) writer.varint(number);
      const reader = new ByteReader(writer.copy());
      expect(numbers.map(() => reader.varint())).toEqual(numbers);
      expect(() => reader.varint()).toThrow(UnreadableSegment);
    }),
  );
});

test('postings read back as the same ordinals, whichever form is smallest', () => {
  fc.assert(
    fc.property(ORDINALS, ({ records, ordinals }) => {
      const writer = new ByteWriter();
      writePostings(Uint32Array.from(ordinals), records, writer);
      const set = readPostings(writer.view(), ordinals.length, records);
      expect([...ordinalsOf(set)]).toEqual(ordinals);
      expect(sizeOf(set)).toBe(ordinals.length);
      expect(writer.length).toBeLessThanOrEqual(1 + Math.ceil(records / 8));
      const words = new Uint32Array(wordsFor(records));
      addPostings(writer.view(), ordinals.length, records, words);
      expect(ordinals.every((n) => ((words[n >>> 5]! >>> (n & 31)) & 1) === 1)).toBe(true);
    }),
  );
});

test('postings that are cut short are refused', () => {
  const writer = new ByteWriter();
  writePostings(Uint32Array.of(3, 700, 9000), 10_000, writer);
  expect(() => readPostings(writer.view().subarray(0, 3), 3, 10_000)).toThrow(UnreadableSegment);
  expect(() => readPostings(writer.view(), 3, 9000)).toThrow(UnreadableSegment);
});

test('positions of any record read back, when records are skipped and when they are copied', () => {
  const records = fc.array(fc.uniqueArray(fc.nat(100_000), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 400,
  });
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 200 }), (all, step) => {
      const sorted = all.map((positions) => positions.sort((a, b) => a - b));
      const writer = new PositionsWriter();
      for (const positions of sorted) writer.add(Uint32Array.from(positions), 0, positions.length);
      const bytes = new ByteWriter();
      writer.flush(bytes);
      const source = new PositionsCursor(bytes.view(), sorted.length);
      sorted.forEach((_, i) => source.copy(i, writer));
      const copied = new ByteWriter();
      writer.flush(copied);
      expect(copied.view()).toEqual(bytes.view());

      const cursor = new PositionsCursor(copied.view(), sorted.length);
      for (let i = step - 1; i < sorted.length; i += step) {
        const count = cursor.read(i);
        expect([...cursor.positions.subarray(0, count)]).toEqual(sorted[i]);
      }
    }),
  );
});

test('terms read back from bytes, and bytes sort as code units do', () => {
  fc.assert(
    fc.property(TERM, TERM, (a, b) => {
      expect(termText(termBytes(a))).toBe(a);
      expect(Math.sign(compareBytes(termBytes(a), termBytes(b)))).toBe(byCodeUnits(a, b));
      const { from, before } = prefixSpan(a);
      const isInside = compareBytes(termBytes(b), from) >= 0 && (!before || compareBytes(termBytes(b), before) < 0);
      expect(isInside).toBe(b.startsWith(a));
    }),
    { numRuns: 1000 },
  );
});

test('a dictionary block gives its terms back in order and finds the place of any term', () => {
  fc.assert(
    fc.property(TERMS, TERM, (terms, bound) => {
      const sorted = terms.sort(byCodeUnits);
      const writer = new TermBlockWriter();
      sorted.forEach((term, i) => writer.add(slice(term), { records: i + 1, postings: i, positions: 2 * i }));
      const block = new TermBlock(writer.flush(), true);
      expect(Array.from(block.terms(), ({ bytes }) => termText(bytes))).toEqual(sorted);
      expect(block.lowerBound(termBytes(bound))).toBe(sorted.filter((term) => term < bound).length);
      sorted.forEach((term, i) => {
        const { records, postingsEnd, postingsStart, positionsEnd, positionsStart } = block.entry(i);
        expect(block.lowerBound(termBytes(term))).toBe(i);
        expect(records).toBe(i + 1);
        // The only record of a term is in the block itself.
        expect(postingsEnd - postingsStart).toBe(i === 0 ? 0 : i);
        expect(positionsEnd - positionsStart).toBe(2 * i);
      });
    }),
  );
});

test('a separator is after the term before it and not after the term it stands for', () => {
  fc.assert(
    fc.property(TERM, TERM, (a, b) => {
      fc.pre(a !== b);
      const [first = '', second = ''] = [a, b].sort(byCodeUnits);
      const [before, term] = [termBytes(first), termBytes(second)];
      const between = separator(slice(first), slice(second));
      expect(compareBytes(between, before)).toBeGreaterThan(0);
      expect(compareBytes(between, term)).toBeLessThanOrEqual(0);
    }),
  );
});

test('a table of terms numbers each once and sorts them as strings sort', () => {
  fc.assert(
    fc.property(fc.array(TERM, { maxLength: 500 }), (terms) => {
      const table = new TermTable(new TermNumbers());
      const numbers = terms.map((term) => table.numberOf(term));
      expect(terms.map((term) => table.numberOf(term))).toEqual(numbers);
      const sorted = Array.from(table.sorted(), (place) => textOf(table.termAt(place)));
      expect(sorted).toEqual([...new Set(terms)].sort(byCodeUnits));
    }),
  );
});

test('a list in pages keeps every number at its place', () => {
  const list = new Uint32Pages();
  const numbers = Array.from({ length: 40_000 }, (_, i) => (i * 2_654_435_761) >>> 0);
  for (const number of numbers) list.push(number);
  expect(list.length).toBe(numbers.length);
  expect(numbers.map((_, i) => list.at(i))).toEqual(numbers);
});

test('a table of terms reads the words of a text as queries do', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.string({ unit: CODE_POINT }),
    fc.constant("Ab c.Σ ab's ΟΔΟΣ"),
  );
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 20 }), (many) => {
      const table = new TermTable(new TermNumbers());
      for (const text of many) {
        const numbers: number[] = [];
        table.eachWord(text, (number) => numbers.push(number));
        expect(numbers).toEqual(words(text).map((word) => table.numberOf(word)));
      }
    }),
  );
});

test('a number column is sorted by value, then ordinal, each pair once', () => {
  const entry = fc.tuple(fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -2, max: 2 })), fc.nat(50));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), (entries) => {
      // The index has no -0.
      const given = entries.map(([value, ordinal]) => [value + 0, ordinal] as const).sort((a, b) => a[1] - b[1]);
      const column = sortColumn(
        Float64Array.from(given, ([value]) => value),
        Uint32Array.from(given, ([, ordinal]) => ordinal),
      );
      const pairs = new Map(given.map((pair) => [String(pair), pair]));
      const expected = [...pairs.values()].sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1));
      expect(Array.from(column.values, (value, i) => [value, column.ordinals[i]])).toEqual(expected);
      expect(column.single).toBe(new Set(expected.map(([, ordinal]) => ordinal)).size === expected.length);
    }),
  );
});

test('a list of numbers holds what was pushed', () => {
  const list = new Uint32List();
  for (let n = 0; n < 5000; n++) list.push(n * 3);
  expect([...list.view()]).toEqual(Array.from({ length: 5000 }, (_, n) => n * 3));
});

test('a question mark stands for one code point and a pattern of many stars ends soon', () => {
  const test = globTest([{ any: 'one' }, { literal: 'b' }]);
  expect(['ab', '\u{1F600}b', 'b', 'aab'].map(test)).toEqual([true, true, false, false]);
  const stars = globTest(Array.from({ length: 40 }, () => [{ any: 'run' as const }, { literal: 'a' }]).flat());
  expect(stars(`${'a'.repeat(5000)}b`)).toBe(false);
});

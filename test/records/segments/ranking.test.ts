import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScoredQuery } from '../../../functions/records/query/query.ts';
import {
  bitSet,
  type OrdinalSet,
  ordinalsOf,
  sizeOf,
  wordsFor,
} from '../../../functions/records/segments/format/ordinal-set.ts';
import {
  type ScoringTerm,
  type SegmentMatches,
  topMatches,
} from '../../../functions/records/segments/query/ranking.ts';

const RECORDS = 70_003;

/** A set of every nth record, or of a few: a bitmap or a list. */
const anySet = fc
  .record({
    step: fc.constantFrom(1, 2, 31, 1_000, 30_000),
    first: fc.oneof(fc.constant(0), fc.nat(RECORDS)),
    end: fc.oneof(fc.constant(RECORDS), fc.nat(RECORDS)),
  })
  .map(({ step, first, end }): OrdinalSet => {
    const words = new Uint32Array(wordsFor(RECORDS));
    for (let ordinal = first; ordinal < end; ordinal += step) words[ordinal >>> 5]! |= 1 << (ordinal & 31);
    return bitSet(words);
  });

const queryOf = (n: number): ScoredQuery => ({ kind: 'term', path: `field${n}`, term: 'word' });

const anyRanking = fc
  .record({
    segments: fc.array(fc.record({ matches: anySet, sets: fc.array(anySet, { minLength: 4, maxLength: 4 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    terms: fc.array(
      fc.uniqueArray(fc.record({ set: fc.nat(3), weight: fc.constantFrom(1, 2, 3.5) }), {
        selector: ({ set }) => set,
        minLength: 1,
        maxLength: 3,
      }),
      { minLength: 1, maxLength: 3 },
    ),
    limit: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ segments, terms, limit }) => ({
    results: segments.map(({ matches, sets }): SegmentMatches => {
      const setOf = ({ path }: ScoredQuery) => sets[Number((path ?? '').slice('field'.length))]!;
      return { matches, query: { records: RECORDS, setOf } };
    }),
    terms: terms.map(
      (parts): ScoringTerm => ({
        parts: parts
          .toSorted((one, other) => other.weight - one.weight)
          .map(({ set, weight }) => ({ query: queryOf(set), weight })),
        isBonus: false,
      }),
    ),
    limit,
  }));

/** Scores every match, and sorts all of them. */
function everyMatchSorted(results: readonly SegmentMatches[], terms: readonly ScoringTerm[], limit: number) {
  const records = results.length * RECORDS;
  const rarities = terms.map(({ parts }) => {
    const matches = results.reduce((sum, { query }) => {
      const all = new Set(parts.flatMap((part) => [...ordinalsOf(query.setOf(part.query))]));
      return sum + all.size;
    }, 0);
    return Math.log(1 + (records - matches + 0.5) / (matches + 0.5));
  });
  const scored = results.flatMap(({ query, matches }, segment) => {
    const members = terms.map(({ parts }) =>
      parts.map(({ query: part, weight }) => ({ weight, has: new Set(ordinalsOf(query.setOf(part))) })),
    );
    return [...ordinalsOf(matches)].map((ordinal) => ({
      segment,
      ordinal,
      score: members.reduce((sum, parts, i) => {
        const part = parts.find(({ has }) => has.has(ordinal));
        return part ? Math.fround(sum + rarities[i]! * part.weight) : sum;
      }, 0),
    }));
  });
  return scored.toSorted((one, other) => other.score - one.score).slice(0, limit);
}

describe('the best matches', () => {
  it('are those of all matches, scored and sorted; of equal ones the first', () => {
    fc.assert(
      fc.property(anyRanking, ({ results, terms, limit }) => {
        const best = topMatches(results, terms, limit).flatMap((one) => {
          const segment = results.findIndex(({ query }) => query === one.query);
          return [...one.ordinals].map((ordinal, i) => ({ segment, ordinal, score: one.scores[i] }));
        });
        const expected = everyMatchSorted(results, terms, limit);
        const inOrder = expected.toSorted((one, other) => one.segment - other.segment || one.ordinal - other.ordinal);
        expect(best).toEqual(inOrder);
        expect(best).toHaveLength(
          Math.min(
            limit,
            results.reduce((sum, { matches }) => sum + sizeOf(matches), 0),
          ),
        );
      }),
      { numRuns: 60 },
    );
  });
});

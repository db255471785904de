import type { Query } from '../query/query.ts';
import type { SearchEngine, SegmentRef } from '../search-engine.ts';
import type { SegmentStorage } from './format.ts';
import { type OpenSegment, openSegments } from './open-segment.ts';
import { firstOrdinals, type OrdinalSet, ordinalsOf, sizeOf } from './ordinal-set.ts';
import { QueryReads, type ReadObserver } from './reads.ts';
import { blocksWith, recordsIn } from './record-blocks.ts';
import type { SegmentCache } from './segment-cache.ts';
import { type Expansions, SegmentQuery } from './segment-query.ts';

/** What bulk downloads need beside previews. */
export interface SegmentSearch extends SearchEngine {
  /** The ordinals of all matching records of one segment, in order. */
  matches(query: Query, segment: SegmentRef): Promise<Uint32Array>;
}

/**
 * Searches immutable segments in object storage. A query that finds nothing in the cache takes three rounds of
 * parallel reads: metas and tombstones; dictionary blocks, postings, positions, number columns; records. Only a
 * wildcard over a large part of a field takes one more.
 */
export function segmentSearch(storage: SegmentStorage, cache: SegmentCache, observer?: ReadObserver): SegmentSearch {
  const newReads = () => new QueryReads(storage, cache, observer);

  const evaluate = async (query: Query, refs: readonly SegmentRef[], reads: QueryReads): Promise<SegmentResult[]> => {
    const segments = await openSegments(refs, reads, cache);
    const expansions: Expansions = new Map();
    const queries = segments.map((segment) => new SegmentQuery(segment, reads, expansions));
    for (const one of queries) one.want(query);
    await reads.round();
    for (const one of queries) one.wantMore(query);
    await reads.round();
    return segments.map((segment, i) => ({ segment, found: queries[i]!.evaluate(query) }));
  };

  return {
    async count(query, { segments: refs }) {
      const reads = newReads();
      const segments = await openSegments(refs, reads, cache);
      const expansions: Expansions = new Map();
      const queries = segments.map((segment) => new SegmentQuery(segment, reads, expansions));
      const counters = queries.map((one) => one.wantCount(query));
      await reads.round();
      for (const one of queries) one.wantMore(query);
      await reads.round();
      return counters.reduce((sum, counter) => sum + counter(), 0);
    },

    async preview(query, limit, { segments }) {
      const reads = newReads();
      const results = await evaluate(query, segments, reads);
      const shown = firstOf(results, limit);
      for (const { segment, ordinals } of shown) for (const block of blocksWith(segment, ordinals)) reads.want(block);
      await reads.round();
      const records = shown.flatMap(({ segment, ordinals }) => recordsIn(segment, ordinals, reads));
      return { total: results.reduce((sum, { found }) => sum + sizeOf(found), 0), records };
    },

    async matches(query, segment) {
      const [result] = await evaluate(query, [segment], newReads());
      return result ? ordinalsOf(result.found) : new Uint32Array(0);
    },
  };
}

interface SegmentResult {
  readonly segment: OpenSegment;
  readonly found: OrdinalSet;
}

interface Shown {
  readonly segment: OpenSegment;
  readonly ordinals: Uint32Array;
}

/** The first records of all results together. */
function firstOf(results: readonly SegmentResult[], limit: number): Shown[] {
  let left = limit;
  const shown: Shown[] = [];
  for (const { segment, found } of results) {
    const ordinals = firstOrdinals(found, left);
    left -= ordinals.length;
    if (ordinals.length > 0) shown.push({ segment, ordinals });
  }
  return shown;
}

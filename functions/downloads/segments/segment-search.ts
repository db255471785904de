import type { Query } from '../query/query.ts';
import type { SearchEngine, SegmentRef } from '../search-engine.ts';
import type { SegmentStorage } from './format.ts';
import { type OpenSegment, openSegments } from './open-segment.ts';
import { firstOrdinals, gallop, type OrdinalSet, ordinalsOf, sizeOf } from './ordinal-set.ts';
import { QueryReads, type ReadObserver } from './reads.ts';
import { blocksWith, type RecordBlock, recordsIn } from './record-blocks.ts';
import { SegmentCache } from './segment-cache.ts';
import { type Expansions, SegmentQuery } from './segment-query.ts';

/** What bulk downloads need beside previews. */
export interface SegmentSearch extends SearchEngine {
  /** The ordinals of all matching records of one segment, in order. */
  matches(query: Query, segment: SegmentRef): Promise<Uint32Array>;
  /** The JSON texts of records of one segment, given by ascending ordinals, some thousands at a time. */
  records(segment: SegmentRef, ordinals: Uint32Array): AsyncGenerator<string[]>;
}

/** Record blocks that `records` holds at a time: at most about 4,000 records, 3 MB of text. */
const BLOCKS_AT_A_TIME = 64;

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

    async *records(ref, ordinals) {
      const [segment] = await openSegments([ref], newReads(), cache);
      if (!segment) return;
      for (const { blocks, part } of portions(segment, ordinals)) {
        // What passes through once must not push out what queries share.
        const reads = new QueryReads(storage, new SegmentCache(0), observer);
        for (const block of blocks) reads.want(block);
        await reads.round();
        yield recordsIn(segment, part, reads);
      }
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

/** Cuts the ordinals where enough blocks have come together. */
function* portions(
  segment: OpenSegment,
  ordinals: Uint32Array,
): Generator<{ blocks: RecordBlock[]; part: Uint32Array }> {
  const { firsts } = segment.meta.recordBlocks;
  const blocks = blocksWith(segment, ordinals);
  let start = 0;
  for (let at = 0; at < blocks.length; at += BLOCKS_AT_A_TIME) {
    const some = blocks.slice(at, at + BLOCKS_AT_A_TIME);
    const next = blocks[at + BLOCKS_AT_A_TIME];
    const end = next ? gallop(ordinals, firsts[next.block]!, start) : ordinals.length;
    yield { blocks: some, part: ordinals.subarray(start, end) };
    start = end;
  }
}

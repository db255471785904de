import type { Query } from '../../query/query.ts';
import { type SegmentStorage, UnreadableSegment } from '../format/format.ts';
import { firstOrdinals, gallop, ordinalsOf, sizeOf } from '../format/ordinal-set.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { type OpenSegment, openSegments } from './open-segment.ts';
import {
  type RankingSettings,
  RERANKED_MATCHES,
  rerankedTexts,
  type ScoringTerm,
  type SegmentMatches,
  scoringFor,
  topMatches,
} from './ranking.ts';
import { QueryReads, type ReadOptions } from './reads.ts';
import { blocksWith, linesIn, type RecordBlock, recordsIn } from './record-blocks.ts';
import { SegmentCache } from './segment-cache.ts';
import { SegmentQuery } from './segment-query.ts';
import type { Expansions } from './segment-terms.ts';

/** Some matches in their order, as lines of JSON, each with its line end. */
export interface RecordLines {
  readonly bytes: Uint8Array;
  readonly records: number;
}

/** The matches `from` (counted from 0) to before `to`. */
interface MatchRange {
  readonly from: number;
  readonly to: number;
}

/** Finds records in segments, which are given in the order of the manifest. */
export interface SegmentSearch {
  /**
   * The exact count and the first `limit` matching records, each as the JSON text that was indexed; with a ranking the
   * best instead.
   */
  preview(
    query: Query,
    limit: number,
    segments: readonly SegmentRef[],
    ranking?: RankingSettings,
  ): Promise<{ total: number; records: string[] }>;
  /** The exact count, and at most `most` of the matching records, at even distances in their order. */
  sample(query: Query, most: number, segments: readonly SegmentRef[]): Promise<{ total: number; records: string[] }>;
  /**
   * The exact number of matches in each segment. Undefined once `goesOn`, called every few segments, has returned
   * false.
   */
  counts(query: Query, segments: readonly SegmentRef[], goesOn?: () => boolean): Promise<number[] | undefined>;
  /**
   * A run of the matches; `counts` are those of the same query and segments. Holds some thousands of records at a time.
   */
  lines(
    query: Query,
    segments: readonly SegmentRef[],
    counts: readonly number[],
    range: MatchRange,
  ): AsyncIterable<RecordLines>;
}

/** Record blocks that `lines` holds at a time, twice: at most about 4,000 records, 3 MB of text. */
const BLOCKS_AT_A_TIME = 64;

/** The largest unknown segment that a preview reads whole: that takes less time than the rounds that it saves. */
const SMALL_BYTES = 1 << 20;

/** Segments that are counted together, in the same rounds of reads. */
const SEGMENTS_AT_A_TIME = 64;

/**
 * Searches immutable segments in object storage. A query that finds nothing in the cache takes three rounds of
 * parallel reads: metas and tombstones; dictionary blocks, postings, positions, number columns; records. Only a
 * wildcard over a large part of a field takes one more. A preview reads small segments whole, in the first round.
 */
export function segmentSearch(storage: SegmentStorage, cache: SegmentCache, options: ReadOptions = {}): SegmentSearch {
  const source: Source = { storage, cache, options };
  return {
    preview: (query, limit, segments, ranking) => preview(source, { query, limit, ranking }, segments),
    sample: (query, most, segments) => sample(source, { query, most }, segments),
    counts: (query, segments, goesOn = () => true) => counts(source, { query, goesOn }, segments),
    lines: (query, segments, counts, range) => lines(source, { query, counts, range }, segments),
  };
}

/** The storage, cache and observer of reads. */
interface Source {
  readonly storage: SegmentStorage;
  readonly cache: SegmentCache;
  readonly options: ReadOptions;
}

const readsOf = ({ storage, cache, options: { onRound } }: Source) =>
  new QueryReads(storage, cache, onRound && { onRound });

async function preview(
  source: Source,
  { query, limit, ranking }: { query: Query; limit: number; ranking?: RankingSettings | undefined },
  segments: readonly SegmentRef[],
): Promise<{ total: number; records: string[] }> {
  const { storage, cache, options } = source;
  const reads = new QueryReads(storage, cache, { smallBytes: SMALL_BYTES, ...options });
  const { terms = [], words } = ranking ? scoringFor(query, ranking) : {};
  const results = await evaluate(source, { query, reads, terms }, segments);
  const total = results.reduce((sum, { matches }) => sum + sizeOf(matches), 0);
  if (ranking === undefined || words === undefined || terms.length === 0 || limit === 0) {
    return { total, records: await readTexts(firstOf(results, limit), reads) };
  }
  const candidates = topMatches(results, terms, Math.max(limit, RERANKED_MATCHES));
  const texts = await readTexts(candidates, reads);
  return { total, records: rerankedTexts(candidates, texts, { ...ranking, words }).slice(0, limit) };
}

async function sample(
  source: Source,
  { query, most }: { query: Query; most: number },
  segments: readonly SegmentRef[],
): Promise<{ total: number; records: string[] }> {
  const reads = new QueryReads(source.storage, source.cache, { smallBytes: SMALL_BYTES, ...source.options });
  const results = await evaluate(source, { query, reads }, segments);
  const total = results.reduce((sum, { matches }) => sum + sizeOf(matches), 0);
  return { total, records: await readTexts(evenlyOf(results, total, most), reads) };
}

/** The records at the positions 0, step, 2 step, … among all matches. */
function evenlyOf(results: readonly SegmentResult[], total: number, most: number): SegmentOrdinals[] {
  const step = Math.max(1, total / most);
  let before = 0;
  let taken = 0;
  return results.flatMap(({ segment, matches }) => {
    const ordinals = ordinalsOf(matches);
    const chosen: number[] = [];
    while (taken < most && Math.floor(taken * step) < before + ordinals.length) {
      chosen.push(ordinals[Math.floor(taken * step) - before]!);
      taken += 1;
    }
    before += ordinals.length;
    return chosen.length > 0 ? [{ segment, ordinals: Uint32Array.from(chosen) }] : [];
  });
}

/** The texts of records, in the order of the portions. */
async function readTexts(portions: readonly SegmentOrdinals[], reads: QueryReads): Promise<string[]> {
  for (const { segment, ordinals } of portions) for (const block of blocksWith(segment, ordinals)) reads.want(block);
  await reads.round();
  return portions.flatMap(({ segment, ordinals }) => recordsIn(segment, ordinals, reads));
}

async function counts(
  source: Source,
  { query, goesOn }: { query: Query; goesOn: () => boolean },
  segments: readonly SegmentRef[],
): Promise<number[] | undefined> {
  const expansions: Expansions = new Map();
  const counted: number[] = [];
  while (counted.length < segments.length) {
    if (!goesOn()) return undefined;
    const some = segments.slice(counted.length, counted.length + SEGMENTS_AT_A_TIME);
    counted.push(...(await countSome(source, { query, expansions }, some)));
  }
  return counted;
}

async function countSome(
  source: Source,
  { query, expansions }: { query: Query; expansions: Expansions },
  refs: readonly SegmentRef[],
): Promise<number[]> {
  const reads = readsOf(source);
  const segments = await openSegments(refs, reads, source.cache);
  const queries = segments.map((segment) => new SegmentQuery(segment, reads, expansions));
  const counters = queries.map((one) => one.wantCount(query));
  await reads.round();
  for (const one of queries) one.wantMore(query);
  await reads.round();
  return counters.map((counter) => counter());
}

async function* lines(
  source: Source,
  { query, counts, range }: { query: Query; counts: readonly number[]; range: MatchRange },
  segments: readonly SegmentRef[],
): AsyncGenerator<RecordLines> {
  let start = 0;
  for (const [i, ref] of segments.entries()) {
    const count = counts[i] ?? 0;
    const first = Math.max(range.from - start, 0);
    const end = Math.min(range.to - start, count);
    start += count;
    if (first >= end) continue;
    const [result] = await evaluate(source, { query, reads: readsOf(source) }, [ref]);
    const ordinals = result ? ordinalsOf(result.matches) : new Uint32Array(0);
    if (ordinals.length !== count) throw new UnreadableSegment(`segment ${ref.id} matches otherwise than counted`);
    yield* linesOf(source, ref, ordinals.subarray(first, end));
  }
}

/** Reads the next portion while the caller works on this one. */
async function* linesOf(source: Source, ref: SegmentRef, ordinals: Uint32Array): AsyncGenerator<RecordLines> {
  const [segment] = await openSegments([ref], readsOf(source), source.cache);
  if (!segment) return;
  const read = async ({ blocks, part }: Portion) => {
    // Bytes that are read once must not evict what queries share.
    const reads = readsOf({ ...source, cache: new SegmentCache(0) });
    for (const block of blocks) reads.want(block);
    await reads.round();
    return { bytes: linesIn(segment, part, reads), records: part.length };
  };
  let next: Promise<RecordLines> | undefined;
  for (const portion of portions(segment, ordinals)) {
    const before = next;
    next = read(portion);
    // A failure is reported when this is awaited; until then it must not end the process.
    next.catch(() => undefined);
    if (before) yield await before;
  }
  if (next) yield await next;
}

async function evaluate(
  { cache }: Source,
  { query, reads, terms = [] }: { query: Query; reads: QueryReads; terms?: readonly ScoringTerm[] },
  refs: readonly SegmentRef[],
): Promise<SegmentResult[]> {
  const segments = await openSegments(refs, reads, cache);
  const expansions: Expansions = new Map();
  const queries = segments.map((segment) => new SegmentQuery(segment, reads, expansions));
  for (const one of queries) {
    one.want(query);
    for (const { parts } of terms) for (const { query } of parts) one.want(query);
  }
  await reads.round();
  for (const one of queries) one.wantMore(query);
  await reads.round();
  return segments.map((segment, i) => ({ segment, query: queries[i]!, matches: queries[i]!.evaluate(query) }));
}

interface SegmentResult extends SegmentMatches {
  readonly segment: OpenSegment;
}

interface SegmentOrdinals {
  readonly segment: OpenSegment;
  readonly ordinals: Uint32Array;
}

/** The first records of all results together. */
function firstOf(results: readonly SegmentResult[], limit: number): SegmentOrdinals[] {
  let left = limit;
  const portions: SegmentOrdinals[] = [];
  for (const { segment, matches } of results) {
    const ordinals = firstOrdinals(matches, left);
    left -= ordinals.length;
    if (ordinals.length > 0) portions.push({ segment, ordinals });
  }
  return portions;
}

/** Record blocks, and the ordinals of the requested records in them. */
interface Portion {
  readonly blocks: readonly RecordBlock[];
  readonly part: Uint32Array;
}

/** Cuts the ordinals into portions of a limited number of blocks. */
function* portions(segment: OpenSegment, ordinals: Uint32Array): Generator<Portion> {
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

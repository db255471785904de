import type { SegmentRef } from '../segments/format/segment-ref.ts';
import { type Manifest, NOTHING_WRITTEN } from './manifest.ts';

/** A merge has at most this many segments: more would only take longer. */
const INPUTS_MAX = 48;

/** Idle-time merges keep the write amplification (records written per record imported) below this. */
const MAX_WRITE_AMPLIFICATION = 4;

/** Up to so many segments, a merge while imports go on waits until it triples the largest of its segments; then until it doubles it. */
const SEGMENTS_FEW = 16;

/**
 * Returns the neighbouring segments that are worth merging now; empty if there are none. They are at least `fanIn`, and
 * all together three times the largest, so that a record is rewritten only when its segment at least triples; twice where
 * segments are many. If no segments are like that, returns a single segment of which at least half is deleted.
 */
export function mergeCandidates(
  segments: readonly SegmentRef[],
  { fanIn, maxRecords }: { readonly fanIn: number; readonly maxRecords: number },
): readonly SegmentRef[] {
  const growth = segments.length > SEGMENTS_FEW ? 2 : 3;
  let best: readonly SegmentRef[] = [];
  let bestTotal = Number.POSITIVE_INFINITY;
  for (let start = 0; start < segments.length; start++) {
    let total = 0;
    let largest = 0;
    for (let end = start; end < Math.min(segments.length, start + INPUTS_MAX); end++) {
      const live = liveRecords(segments[end]!);
      total += live;
      largest = Math.max(largest, live);
      const isWorthIt = end - start + 1 >= fanIn && largest * growth <= total;
      if (total > maxRecords) break;
      if (!isWorthIt || total >= bestTotal) continue;
      best = segments.slice(start, end + 1);
      bestTotal = total;
    }
  }
  if (best.length > 0) return best;
  return segments.filter((ref) => liveRecords(ref) * 2 <= ref.records).slice(0, 1);
}

/**
 * While no import runs: the longest run of neighbouring segments that can be merged without exceeding the write
 * amplification, because a cold query reads from every segment. Of runs of the same length, the one with the fewest
 * records. Empty if not even two can be merged.
 */
export function idleMergeCandidates(
  { segments, written = NOTHING_WRITTEN }: Pick<Manifest, 'segments' | 'written'>,
  { maxRecords }: { readonly maxRecords: number },
): readonly SegmentRef[] {
  const affordable = written.byImports * (MAX_WRITE_AMPLIFICATION - 1) - written.byMerges;
  let best: readonly SegmentRef[] = [];
  let bestTotal = 0;
  for (let start = 0; start < segments.length; start++) {
    let total = 0;
    for (let end = start; end < Math.min(segments.length, start + INPUTS_MAX); end++) {
      total += liveRecords(segments[end]!);
      if (total > Math.min(affordable, maxRecords)) break;
      const count = end - start + 1;
      if (count < Math.max(best.length, 2) || (count === best.length && total >= bestTotal)) continue;
      best = segments.slice(start, end + 1);
      bestTotal = total;
    }
  }
  return best;
}

const liveRecords = ({ records, tombstones }: SegmentRef): number => records - (tombstones?.deleted ?? 0);

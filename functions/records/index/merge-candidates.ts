import type { SegmentRef } from '../segments/format/segment-ref.ts';

/**
 * Neighbouring segments that are worth merging now, or none. At least `fanIn`, and none larger than the others
 * together: so a record is rewritten only as often as its segment doubles. Otherwise a single segment, half of which is
 * deleted.
 */
export function mergeCandidates(
  segments: readonly SegmentRef[],
  { fanIn, maxRecords }: { readonly fanIn: number; readonly maxRecords: number },
): readonly SegmentRef[] {
  let best: readonly SegmentRef[] = [];
  let bestTotal = Number.POSITIVE_INFINITY;
  for (let start = 0; start < segments.length; start++) {
    let total = 0;
    let largest = 0;
    // Merging more segments than this at once would only take longer.
    for (let end = start; end < Math.min(segments.length, start + fanIn * 4); end++) {
      const live = liveRecords(segments[end]!);
      total += live;
      largest = Math.max(largest, live);
      const isWorthIt = end - start + 1 >= fanIn && largest <= total - largest;
      if (total > maxRecords) break;
      if (!isWorthIt || total >= bestTotal) continue;
      best = segments.slice(start, end + 1);
      bestTotal = total;
    }
  }
  if (best.length > 0) return best;
  return segments.filter((ref) => liveRecords(ref) * 2 <= ref.records).slice(0, 1);
}

const liveRecords = ({ records, tombstones }: SegmentRef): number => records - (tombstones?.deleted ?? 0);

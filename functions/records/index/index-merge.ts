import type { RecordType } from '../schemas/schema.ts';
import { dataKey, metaKey, tombstonesKey } from '../segments/format/format.ts';
import type { SegmentRef } from '../segments/format/segment-ref.ts';
import {
  decodeTombstones,
  deletedCount,
  encodeTombstones,
  type Tombstones,
  tombstonesSince,
} from '../segments/format/tombstones.ts';
import { mergeSegments } from '../segments/merge/merge.ts';
import { idleMergeCandidates, mergeCandidates } from './choose-merge.ts';
import type { SegmentObjects, SegmentSinks } from './index-writer.ts';
import { type Manifest, type Manifests, NOTHING_WRITTEN } from './manifest.ts';

export interface MergeDeps {
  readonly index: Manifests;
  readonly objects: SegmentObjects;
  readonly sinks: SegmentSinks;
  readonly newId: () => string;
  readonly now: () => number;
  /** @default the largest that one run of a function can merge */
  readonly maxRecords?: number;
}

/** The largest size of a merged segment. Merging as much takes about half of what a function may run. */
const MAX_RECORDS = 12_500_000;
/** While imports add segments, this many of similar size are merged; all that can be is merged when they are quiet. */
const FAN_IN = 12;
const MAX_TRIES = 50;

/** The mode of a merge: `busy` while an import may add segments, `quiet` when none has done so for a while. */
export type MergeMode = 'busy' | 'quiet';

/**
 * Merges some neighbouring segments into one. Searches find the same records in the same order before and after.
 * Records deleted in the inputs meanwhile are deleted in the merged segment too. Returns the version of the manifest that
 * has the merged segment; undefined when there was nothing to merge, or another worker merged the same segments.
 */
export async function mergeOnce(deps: MergeDeps, type: RecordType, mode: MergeMode): Promise<number | undefined> {
  const { maxRecords = MAX_RECORDS } = deps;
  const current = await deps.index.current(type);
  const inputs =
    mode === 'quiet'
      ? idleMergeCandidates(current, { maxRecords })
      : mergeCandidates(current.segments, { maxRecords, fanIn: FAN_IN });
  if (inputs.length === 0) return undefined;
  const leftOut = await Promise.all(inputs.map((ref) => tombstonesOf(deps, ref)));
  const merged = await writeMerged(deps, inputs, leftOut);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const base = await deps.index.current(type);
    const at = positionOf(inputs, base);
    if (at < 0) return undefined;
    const present = base.segments.slice(at, at + inputs.length);
    const since = tombstonesSince(
      inputs.map(({ records }, i) => ({ records, ...(leftOut[i] && { leftOut: leftOut[i] }) })),
      await Promise.all(present.map((ref) => tombstonesOf(deps, ref))),
    );
    const remaining = merged && (await withTombstones(deps, merged, since));
    const segments = base.segments.toSpliced(at, inputs.length, ...(remaining ? [remaining] : []));
    const { byImports, byMerges } = base.written ?? NOTHING_WRITTEN;
    const written = { byImports, byMerges: byMerges + (merged?.records ?? 0) };
    const outcome = await deps.index.commit({ type, base, segments, written, now: deps.now() });
    if (outcome === 'committed') return base.version + 1;
  }
  throw new Error(`The index of ${type} changed ${MAX_TRIES} times while one merge was being committed.`);
}

async function tombstonesOf({ objects }: MergeDeps, { tombstones }: SegmentRef): Promise<Tombstones | undefined> {
  return tombstones && decodeTombstones(await objects.readWhole(tombstonesKey(tombstones.id)), tombstones.id);
}

/** The merged segment; undefined when every record of the inputs is deleted. */
async function writeMerged(
  { objects, sinks, newId }: MergeDeps,
  inputs: readonly SegmentRef[],
  leftOut: readonly (Tombstones | undefined)[],
): Promise<SegmentRef | undefined> {
  const id = newId();
  const sink = sinks.open(dataKey(id));
  try {
    const { records, bytes, meta } = await mergeSegments(
      inputs.map((ref, i) => ({ ref, ...(leftOut[i] && { tombstones: leftOut[i] }) })),
      objects,
      sink,
    );
    if (records === 0) {
      await sink.abort();
      return undefined;
    }
    await Promise.all([sink.close(), objects.put(metaKey(id), meta)]);
    return { id, records, bytes, metaBytes: meta.length };
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** The position where the inputs are still adjacent; -1 when they are not. Their tombstones may have grown. */
function positionOf(inputs: readonly SegmentRef[], { segments }: Manifest): number {
  const at = segments.findIndex(({ id }) => id === inputs[0]?.id);
  return at >= 0 && inputs.every(({ id }, i) => segments[at + i]?.id === id) ? at : -1;
}

async function withTombstones(
  { objects, newId }: MergeDeps,
  merged: SegmentRef,
  tombstones: Tombstones | undefined,
): Promise<SegmentRef | undefined> {
  if (!tombstones) return merged;
  const deleted = deletedCount(tombstones);
  if (deleted === merged.records) return undefined;
  const id = newId();
  await objects.put(tombstonesKey(id), encodeTombstones(tombstones));
  return { ...merged, tombstones: { id, deleted } };
}

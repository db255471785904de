import { metaKey, tombstonesKey, UnreadableSegment } from '../format/format.ts';
import type { SegmentMeta } from '../format/meta.ts';
import { decodeMeta } from '../format/meta-codec.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { decodeTombstones, type Tombstones } from '../format/tombstones.ts';
import type { QueryReads } from './reads.ts';
import type { SegmentCache } from './segment-cache.ts';

export interface OpenSegment {
  readonly id: string;
  readonly meta: SegmentMeta;
  readonly tombstones?: Tombstones;
}

/** Opens segments in one round: the metas and tombstones that the cache lacks, and the data of small segments. */
export async function openSegments(
  refs: readonly SegmentRef[],
  reads: QueryReads,
  cache: SegmentCache,
): Promise<OpenSegment[]> {
  const keys = refs.flatMap((ref) => [metaKey(ref.id), ...(ref.tombstones ? [tombstonesKey(ref.tombstones.id)] : [])]);
  const cached = new Map(keys.map((key) => [key, cache.get(key)]));
  const isMissing = (key: string) => cached.get(key) === undefined;
  // The data of a segment whose meta is cached is likely to be cached as well.
  const unknown = refs.filter(({ id }) => isMissing(metaKey(id)));
  const read = await reads.readWhole(keys.filter(isMissing), unknown);

  const metaOf = (ref: SegmentRef): SegmentMeta => {
    const key = metaKey(ref.id);
    const entry = cached.get(key);
    if (entry !== undefined && 'recordBlocks' in entry) return entry;
    const meta = metaFor(ref, read.get(key)!);
    cache.set(key, meta);
    return meta;
  };
  const tombstonesOf = (ref: SegmentRef): Tombstones | undefined => {
    if (!ref.tombstones) return undefined;
    const key = tombstonesKey(ref.tombstones.id);
    const entry = cached.get(key);
    if (entry !== undefined && 'deleted' in entry) return entry;
    const tombstones = tombstonesFor(ref, ref.tombstones.id, read.get(key)!);
    cache.set(key, tombstones);
    return tombstones;
  };
  return refs.map((ref) => ({ id: ref.id, meta: metaOf(ref), tombstones: tombstonesOf(ref) }));
}

/** The meta of a segment; refused unless it belongs to the segment in the manifest. */
export function metaFor(ref: Pick<SegmentRef, 'id' | 'records' | 'bytes'>, bytes: Uint8Array): SegmentMeta {
  const meta = decodeMeta(bytes, ref.id);
  if (meta.records !== ref.records || meta.bytes !== ref.bytes) {
    throw new UnreadableSegment(`the meta of segment ${ref.id} belongs to another segment`);
  }
  return meta;
}

function tombstonesFor(ref: SegmentRef, id: string, bytes: Uint8Array): Tombstones {
  const tombstones = decodeTombstones(bytes, id);
  if (tombstones.records !== ref.records) {
    throw new UnreadableSegment(`tombstones ${id} are not of segment ${ref.id}`);
  }
  return tombstones;
}

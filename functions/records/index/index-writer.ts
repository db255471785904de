import * as z from 'zod/mini';
import type { RecordType } from '../schemas/schema.ts';
import type { BuiltSegment, SegmentBuilder } from '../segments/build/segment-builder.ts';
import { dataKey, metaKey, type SegmentSink, type SegmentStorage, tombstonesKey } from '../segments/format/format.ts';
import type { SegmentRef } from '../segments/format/segment-ref.ts';
import {
  addTombstones,
  decodeTombstones,
  deletedCount,
  encodeTombstones,
  noTombstones,
} from '../segments/format/tombstones.ts';
import { findIds } from '../segments/query/find-ids.ts';
import { type Manifest, type Manifests, NOTHING_WRITTEN } from './manifest.ts';

/** A segment that is written but not in the index yet, and the object with the ids that it adds or deletes. */
export const WrittenObjects = z.object({
  segment: z.optional(z.object({ id: z.string(), records: z.int(), bytes: z.int(), metaBytes: z.int() })),
  ids: z.string(),
});
export type WrittenObjects = z.output<typeof WrittenObjects>;

const idsKey = (id: string): string => `${id}.ids`;

/** Reads objects of the index, and puts small ones whole. Objects are never changed. */
export interface SegmentObjects extends SegmentStorage {
  put(key: string, bytes: Uint8Array): Promise<void>;
}

/** A data object that is being written. It exists only after `close`, and never after `abort`. */
export interface OpenSink extends SegmentSink {
  close(): Promise<void>;
  abort(): Promise<void>;
}

export interface SegmentSinks {
  open(key: string): OpenSink;
}

export interface IndexWriterDeps<Step> {
  readonly index: Manifests<Step>;
  readonly objects: SegmentObjects;
  readonly sinks: SegmentSinks;
  /** A new name for an object of the index. */
  readonly newId: () => string;
}

export interface IndexWriter<Step> {
  /**
   * Writes the records of a builder as a segment and adds it to the index, in one transaction with the step of the import.
   * Records with the same ids in older segments are marked as deleted. Returns false if another worker has made the step
   * already; the sweep then deletes the objects that were written.
   */
  add(builder: SegmentBuilder, change: Change<Step>): Promise<boolean>;
  /** Writes the segment of a finished builder, which `addWritten` puts into the index when its turn comes. */
  write(builder: SegmentBuilder): Promise<WrittenObjects>;
  addWritten(objects: WrittenObjects, change: Change<Step>): Promise<boolean>;
}

interface Change<Step> {
  readonly type: RecordType;
  readonly step: Step;
  readonly now: number;
}

/** The number of tries. Each failed try means that another change was made. */
const MAX_TRIES = 50;

export const indexWriter = <Step>(deps: IndexWriterDeps<Step>): IndexWriter<Step> => ({
  add: async (builder, change) => addSegment(deps, await writeSegment(deps, builder), change),

  async write(builder) {
    const { ref, touchedIds } = await writeSegment(deps, builder);
    const ids = deps.newId();
    await deps.objects.put(idsKey(ids), Buffer.from(JSON.stringify(touchedIds)));
    return { ids, ...(ref && { segment: ref }) };
  },

  async addWritten({ ids, segment }, change) {
    const text = Buffer.from(await deps.objects.readWhole(idsKey(ids))).toString();
    const touchedIds = Ids.parse(JSON.parse(text));
    return addSegment(deps, { touchedIds, ref: segment }, change);
  },
});

const Ids = z.array(z.string());

async function addSegment<Step>(
  deps: IndexWriterDeps<Step>,
  { ref, touchedIds }: NewSegment,
  { type, step, now }: Change<Step>,
): Promise<boolean> {
  const tombstones = new TombstoneWriter(deps, touchedIds);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const base = await deps.index.current(type);
    const segments = [...(await tombstones.addTo(base)), ...(ref ? [ref] : [])];
    const { byImports, byMerges } = base.written ?? NOTHING_WRITTEN;
    const written = { byImports: byImports + (ref?.records ?? 0), byMerges };
    const outcome = await deps.index.commit({ type, base, segments, written, now, step });
    if (outcome !== 'index-moved') return outcome === 'committed';
  }
  throw new Error(`The index of ${type} changed ${MAX_TRIES} times while one segment was being added.`);
}

/** A segment, undefined if it has no records, and the ids that it replaces or deletes in older segments. */
interface NewSegment {
  readonly ref: SegmentRef | undefined;
  readonly touchedIds: readonly string[];
}

type Writing = Pick<IndexWriterDeps<never>, 'objects' | 'sinks' | 'newId'>;

/** Writes the data first and the meta last; both exist before a manifest names them. */
async function writeSegment({ objects, sinks, newId }: Writing, builder: SegmentBuilder): Promise<NewSegment> {
  const id = newId();
  const sink = sinks.open(dataKey(id));
  let built: BuiltSegment;
  try {
    built = await builder.finish(sink);
  } catch (error) {
    await sink.abort();
    throw error;
  }
  const { records, bytes, meta, touchedIds } = built;
  if (records === 0) {
    await sink.abort();
    return { ref: undefined, touchedIds };
  }
  await Promise.all([sink.close(), objects.put(metaKey(id), meta)]);
  const ref: SegmentRef = { id, records, bytes, metaBytes: meta.length };
  return { ref, touchedIds };
}

/**
 * Marks the records with these ids as deleted in the segments of a manifest, because a newer segment replaces or deletes
 * them. The results are cached for the next try.
 */
class TombstoneWriter {
  private readonly deps: Writing;
  private readonly ids: readonly string[];
  private readonly results = new Map<string, SegmentRef | undefined>();

  /** @param ids sorted. */
  constructor(deps: Writing, ids: readonly string[]) {
    this.deps = deps;
    this.ids = ids;
  }

  /** Returns the segments with their tombstones. Segments without remaining records are dropped. */
  async addTo({ segments }: Manifest): Promise<SegmentRef[]> {
    const marked = await Promise.all(segments.map((ref) => this.marked(ref)));
    return marked.filter((ref) => ref !== undefined);
  }

  private async marked(ref: SegmentRef): Promise<SegmentRef | undefined> {
    const state = `${ref.id} ${ref.tombstones?.id ?? ''}`;
    if (!this.results.has(state)) this.results.set(state, await this.mark(ref));
    return this.results.get(state);
  }

  private async mark(ref: SegmentRef): Promise<SegmentRef | undefined> {
    const { objects, newId } = this.deps;
    const ordinals = await findIds(this.ids, ref, objects);
    if (ordinals.length === 0) return ref;
    const before = ref.tombstones
      ? decodeTombstones(await objects.readWhole(tombstonesKey(ref.tombstones.id)), ref.tombstones.id)
      : noTombstones(ref.records);
    const after = addTombstones(before, ordinals);
    const deleted = deletedCount(after);
    if (deleted === deletedCount(before)) return ref;
    if (deleted === ref.records) return undefined;
    const id = newId();
    await objects.put(tombstonesKey(id), encodeTombstones(after));
    return { ...ref, tombstones: { id, deleted } };
  }
}

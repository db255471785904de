import type { Manifest } from '../../../functions/records/index/manifest.ts';
import type { DataRecord, RecordSchema } from '../../../functions/records/schemas/schema.ts';
import { SegmentBuilder } from '../../../functions/records/segments/build/segment-builder.ts';
import type { WrittenSegment } from '../../../functions/records/segments/build/segment-writer.ts';
import {
  dataKey,
  metaKey,
  type SegmentStorage,
  tombstonesKey,
} from '../../../functions/records/segments/format/format.ts';
import type { SegmentRef } from '../../../functions/records/segments/format/segment-ref.ts';
import {
  addTombstones,
  decodeTombstones,
  deletedCount,
  encodeTombstones,
  noTombstones,
  type Tombstones,
} from '../../../functions/records/segments/format/tombstones.ts';
import { mergeSegments } from '../../../functions/records/segments/merge/merge.ts';
import { findIds } from '../../../functions/records/segments/query/find-ids.ts';

/** One change of an import: a record, or an id to delete as plain text. */
export type Change = DataRecord | string;

/** An index in memory, changed the way that imports and merges change the real one. */
export class MemoryIndex {
  readonly objects = new Map<string, Uint8Array>();
  readonly storage: SegmentStorage = {
    read: async (key, offset, length) => this.#object(key).subarray(offset, offset + length),
    readWhole: async (key) => this.#object(key),
  };
  manifest: Manifest = { version: 0, segments: [] };
  readonly #schema: RecordSchema;
  #ids = 0;

  constructor(schema: RecordSchema) {
    this.#schema = schema;
  }

  async import(changes: readonly Change[]): Promise<void> {
    const builder = new SegmentBuilder(this.#schema);
    for (const change of changes) {
      if (typeof change === 'string') builder.addDeletion(change);
      else builder.add(change);
    }
    const chunks: Uint8Array[] = [];
    const built = await builder.finish({ write: async (chunk) => void chunks.push(chunk) });
    const ref = this.#put(built, built.records, chunks);
    const older = await Promise.all(
      this.manifest.segments.map(async (segment) =>
        this.withTombstones(segment, await findIds(built.touchedIds, segment, this.storage)),
      ),
    );
    this.#commit([...older, ref]);
  }

  /** Merges `count` segments from the nth on. */
  async merge(first: number, count: number): Promise<void> {
    const { segments } = this.manifest;
    const chunks: Uint8Array[] = [];
    const inputs = segments.slice(first, first + count).map((ref) => ({ ref, tombstones: this.tombstonesOf(ref) }));
    const merged = await mergeSegments(inputs, this.storage, { write: async (chunk) => void chunks.push(chunk) });
    this.#commit(segments.toSpliced(first, count, this.#put(merged, merged.records, chunks)));
  }

  tombstonesOf({ tombstones }: SegmentRef): Tombstones | undefined {
    return tombstones && decodeTombstones(this.#object(tombstonesKey(tombstones.id)), tombstones.id);
  }

  withTombstones(ref: SegmentRef, ordinals: Uint32Array): SegmentRef {
    if (ordinals.length === 0) return ref;
    const tombstones = addTombstones(this.tombstonesOf(ref) ?? noTombstones(ref.records), ordinals);
    const id = `t${this.#ids++}`;
    this.objects.set(tombstonesKey(id), encodeTombstones(tombstones));
    return { ...ref, tombstones: { id, deleted: deletedCount(tombstones) } };
  }

  #put({ meta, bytes }: WrittenSegment, records: number, chunks: readonly Uint8Array[]): SegmentRef {
    const id = `s${this.#ids++}`;
    this.objects.set(dataKey(id), Buffer.concat(chunks));
    this.objects.set(metaKey(id), meta);
    return { id, records, bytes, metaBytes: meta.length };
  }

  #commit(segments: readonly SegmentRef[]): void {
    this.manifest = { version: this.manifest.version + 1, segments };
  }

  #object(key: string): Uint8Array {
    const object = this.objects.get(key);
    if (!object) throw new Error(`there is no ${key}`);
    return object;
  }
}

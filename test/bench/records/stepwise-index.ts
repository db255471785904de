import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MergeMode, mergeOnce } from '../../../functions/records/index/index-merge.ts';
import { indexWriter } from '../../../functions/records/index/index-writer.ts';
import { type Manifest, type Manifests, NOTHING_WRITTEN } from '../../../functions/records/index/manifest.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { SegmentBuilder } from '../../../functions/records/segments/build/segment-builder.ts';
import { dataKey, metaKey, tombstonesKey } from '../../../functions/records/segments/format/format.ts';
import type { SegmentRef } from '../../../functions/records/segments/format/segment-ref.ts';
import { FolderStorage, MANIFEST } from './segment-folder.ts';

interface Stored<Notes> {
  readonly manifest: Manifest;
  /** The number of names that were given to objects. */
  readonly ids: number;
  readonly notes: Notes;
}

/**
 * An index of businesses in a folder, written step by step as imports and merges do, with the notes of its owner. After
 * each step the folder is whole: another process can take the next one.
 */
export class StepwiseIndex<Notes extends object> {
  readonly storage: FolderStorage;
  readonly #folder: string;
  readonly #maxMergedRecords: number;
  readonly #manifests = new MemoryManifests();
  #ids = 0;
  #notes: Notes;

  private constructor(folder: string, maxMergedRecords: number, notes: Notes) {
    this.#folder = folder;
    this.#maxMergedRecords = maxMergedRecords;
    this.#notes = notes;
    this.storage = new FolderStorage(folder);
  }

  /** @param notes those of a new folder */
  static async open<Notes extends object>(
    folder: string,
    { maxMergedRecords, notes }: { readonly maxMergedRecords: number; readonly notes: Notes },
  ): Promise<StepwiseIndex<Notes>> {
    await mkdir(folder, { recursive: true });
    const index = new StepwiseIndex(folder, maxMergedRecords, notes);
    const file = join(folder, MANIFEST);
    if (existsSync(file)) {
      const stored: Stored<Notes> = JSON.parse(await readFile(file, 'utf8'));
      index.#manifests.manifest = stored.manifest;
      index.#ids = stored.ids;
      index.#notes = stored.notes;
    }
    return index;
  }

  get manifest(): Manifest {
    return this.#manifests.manifest;
  }

  get notes(): Notes {
    return this.#notes;
  }

  get megabytes(): number {
    return this.manifest.segments.reduce((sum, { bytes, metaBytes }) => sum + bytes + metaBytes, 0) / 1e6;
  }

  /** How often each record was written. */
  get amplification(): number {
    const { byImports, byMerges } = this.manifest.written ?? NOTHING_WRITTEN;
    return (byImports + byMerges) / byImports;
  }

  /** Adds the records as one part. */
  async import(records: Iterable<DataRecord>): Promise<void> {
    const builder = new SegmentBuilder(SCHEMAS.businesses);
    for (const record of records) builder.add(record);
    await indexWriter<undefined>(this.#deps()).add(builder, { type: 'businesses', step: undefined, now: Date.now() });
  }

  /** Merges once; false if there was nothing to merge. */
  async merge(mode: MergeMode): Promise<boolean> {
    const merging = { ...this.#deps(), now: Date.now, maxRecords: this.#maxMergedRecords };
    return (await mergeOnce(merging, 'businesses', mode)) !== undefined;
  }

  /** Ends a step: notes it, and removes the objects that are not needed any more. */
  async endStep(notes: Partial<Notes>): Promise<void> {
    this.#notes = { ...this.#notes, ...notes };
    const stored: Stored<Notes> = { manifest: this.manifest, ids: this.#ids, notes: this.#notes };
    const file = join(this.#folder, MANIFEST);
    await writeFile(`${file}.new`, JSON.stringify(stored));
    await rename(`${file}.new`, file);
    const needed = new Set(this.manifest.segments.flatMap(keysOf));
    for (const key of this.#manifests.named) {
      if (needed.has(key)) continue;
      await this.storage.remove(key);
      this.#manifests.named.delete(key);
    }
  }

  close(): Promise<void> {
    return this.storage.close();
  }

  #deps() {
    return { index: this.#manifests, objects: this.storage, sinks: this.storage, newId: () => `s${this.#ids++}` };
  }
}

const keysOf = ({ id, tombstones }: SegmentRef): string[] => [
  dataKey(id),
  metaKey(id),
  ...(tombstones ? [tombstonesKey(tombstones.id)] : []),
];

class MemoryManifests implements Manifests<undefined> {
  /** The keys of all objects that manifests have named, and that are not removed. */
  readonly named = new Set<string>();
  #manifest: Manifest = { version: 0, segments: [] };

  get manifest(): Manifest {
    return this.#manifest;
  }

  set manifest(manifest: Manifest) {
    this.#manifest = manifest;
    for (const key of manifest.segments.flatMap(keysOf)) this.named.add(key);
  }

  async current() {
    return this.#manifest;
  }

  async pinned() {
    return this.#manifest;
  }

  async commit({ segments, written }: Parameters<Manifests['commit']>[0]) {
    this.manifest = { version: this.#manifest.version + 1, segments, written };
    return 'committed' as const;
  }

  async readableSince() {
    return [this.#manifest];
  }
}

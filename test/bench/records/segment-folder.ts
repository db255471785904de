import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenSink, SegmentObjects, SegmentSinks } from '../../../functions/records/index/index-writer.ts';
import type { Manifest } from '../../../functions/records/index/manifest.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { SegmentBuilder } from '../../../functions/records/segments/build/segment-builder.ts';
import { dataKey, metaKey } from '../../../functions/records/segments/format/format.ts';
import type { SegmentRef } from '../../../functions/records/segments/format/segment-ref.ts';

/** As the importer does: no segment above this. */
const SEGMENT_RECORDS = 250_000;
const SEGMENT_JSON_BYTES = 256 << 20;

export const MANIFEST = 'manifest.json';

/** Writes businesses as segments into a folder. */
export class SegmentFolder {
  readonly refs: SegmentRef[] = [];
  readonly #folder: string;
  #builder = new SegmentBuilder(SCHEMAS.businesses);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A promise only where a segment is full: one for every record would count as time of the build. */
  add(record: DataRecord): Promise<void> | undefined {
    this.#builder.add(record);
    const isFull = this.#builder.records >= SEGMENT_RECORDS || this.#builder.estimatedBytes >= SEGMENT_JSON_BYTES;
    return isFull ? this.#cut() : undefined;
  }

  /** Ends the last segment, and notes for other processes which there are. */
  async finish(): Promise<void> {
    if (this.#builder.records > 0) await this.#cut();
    const manifest: Manifest = { version: 1, segments: this.refs };
    await writeFile(join(this.#folder, MANIFEST), JSON.stringify(manifest));
  }

  async #cut(): Promise<void> {
    const id = `s${this.refs.length}`;
    const file = await open(join(this.#folder, dataKey(id)), 'w');
    const built = await this.#builder.finish({ write: async (chunk) => void (await file.write(chunk)) });
    await file.close();
    await writeFile(join(this.#folder, metaKey(id)), built.meta);
    this.refs.push({ id, records: built.records, bytes: built.bytes, metaBytes: built.meta.length });
    this.#builder = new SegmentBuilder(SCHEMAS.businesses);
  }
}

export const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));

/** Files as object storage: a read is one asynchronous read. */
export class FolderStorage implements SegmentObjects, SegmentSinks {
  /** Bytes that were written. */
  written = 0;
  readonly #folder: string;
  readonly #files = new Map<string, Promise<FileHandle>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(key: string, offset: number, length: number): Promise<Uint8Array> {
    const file = await this.#open(key);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  async readWhole(key: string): Promise<Uint8Array> {
    const { size } = await (await this.#open(key)).stat();
    return this.read(key, 0, size);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.written += bytes.length;
    await writeFile(join(this.#folder, key), bytes);
  }

  open(key: string): OpenSink {
    const file = open(join(this.#folder, key), 'w');
    const close = async () => (await file).close();
    return {
      write: async (chunk) => {
        this.written += chunk.length;
        await (await file).writeFile(chunk);
      },
      close,
      abort: close,
    };
  }

  /** Forgets an object that no manifest names any more. */
  async remove(key: string): Promise<void> {
    await (await this.#files.get(key))?.close();
    this.#files.delete(key);
    await rm(join(this.#folder, key), { force: true });
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await (await file).close();
  }

  #open(key: string): Promise<FileHandle> {
    const file = this.#files.get(key) ?? open(join(this.#folder, key));
    this.#files.set(key, file);
    return file;
  }
}

/** Stores bytes as immutable blobs by name. Objects and parts say of which blobs they consist. */
import { randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';

/** A stretch of an object that lies in one blob. */
export interface Segment {
  readonly blob: string;
  readonly size: number;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

interface Shelf {
  write(name: string, bytes: Buffer): Promise<void>;
  read(name: string, range: ByteRange): AsyncIterable<Buffer> | Iterable<Buffer>;
  remove(name: string): void;
  names(): string[];
}

const CHUNK_BYTES = 1024 * 1024;
/** Small blobs are stored in the database, because a file of its own takes ten times as long to write. */
const SMALL_BYTES_MAX = 64 * 1024;
const SMALL = 's';
const LARGE = 'l';

export class Blobs {
  private readonly small: Shelf;
  private readonly large: Shelf;
  /** The number of readers of each blob. A released blob stays until its last reader has finished. */
  private readonly readers = new Map<string, number>();
  private readonly givenUp = new Set<string>();

  /** @param folder For large blobs; null keeps them in memory. */
  constructor(database: DatabaseSync, folder: string | null) {
    this.small = databaseShelf(database);
    this.large = folder === null ? memoryShelf() : fileShelf(folder);
  }

  /** The name is not stored yet: if the process ends before it is, the next start deletes the blob. */
  async write(bytes: Buffer): Promise<Segment[]> {
    if (bytes.length === 0) return [];
    const blob = (bytes.length > SMALL_BYTES_MAX ? LARGE : SMALL) + randomBytes(16).toString('hex');
    await this.shelfOf(blob).write(blob, bytes);
    return [{ blob, size: bytes.length }];
  }

  read(segments: readonly Segment[], range: ByteRange): Readable {
    const letGo = this.hold(segments);
    const stream = Readable.from(this.chunks(segments, range), { objectMode: false, highWaterMark: CHUNK_BYTES });
    stream.once('close', letGo);
    return stream;
  }

  /** Keeps bytes that may be removed meanwhile, until the returned function is called. */
  hold(segments: readonly Segment[]): () => void {
    const names = segments.map(({ blob }) => blob);
    for (const name of names) this.readers.set(name, (this.readers.get(name) ?? 0) + 1);
    return () => this.release(names);
  }

  remove(segments: readonly Segment[]): void {
    for (const { blob } of segments) {
      if (this.readers.has(blob)) this.givenUp.add(blob);
      else this.shelfOf(blob).remove(blob);
    }
  }

  removeAllBut(names: ReadonlySet<string>): void {
    for (const name of [...this.small.names(), ...this.large.names()]) {
      if (!names.has(name)) this.shelfOf(name).remove(name);
    }
  }

  private shelfOf(name: string): Shelf {
    return name.startsWith(SMALL) ? this.small : this.large;
  }

  private async *chunks(segments: readonly Segment[], range: ByteRange): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const { blob, size } of segments) {
      const start = Math.max(range.start - offset, 0);
      const end = Math.min(range.end - offset, size - 1);
      if (start <= end) yield* this.shelfOf(blob).read(blob, { start, end });
      offset += size;
    }
  }

  private release(names: readonly string[]): void {
    for (const name of names) {
      const left = (this.readers.get(name) ?? 1) - 1;
      if (left > 0) {
        this.readers.set(name, left);
        continue;
      }
      this.readers.delete(name);
      if (this.givenUp.delete(name)) this.shelfOf(name).remove(name);
    }
  }
}

/** The bytes of a stream at once. */
export async function collected(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function databaseShelf(database: DatabaseSync): Shelf {
  const insert = database.prepare('INSERT INTO blobs VALUES (?, ?)');
  const find = database.prepare('SELECT bytes FROM blobs WHERE name = ?');
  const remove = database.prepare('DELETE FROM blobs WHERE name = ?');
  const names = database.prepare('SELECT name FROM blobs');
  return {
    async write(name, bytes) {
      insert.run(name, bytes);
    },
    read(name, { start, end }) {
      const bytes = find.get(name)?.['bytes'];
      if (!(bytes instanceof Uint8Array)) throw new Error(`Blob ${name} is missing.`);
      return [Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start + 1)];
    },
    remove(name) {
      remove.run(name);
    },
    names: () => names.all().map((row) => String(row['name'])),
  };
}

function memoryShelf(): Shelf {
  const blobs = new Map<string, Buffer>();
  return {
    async write(name, bytes) {
      blobs.set(name, bytes);
    },
    *read(name, { start, end }) {
      const bytes = blobs.get(name);
      if (!bytes) throw new Error(`Blob ${name} is missing.`);
      for (let at = start; at <= end; at += CHUNK_BYTES) yield bytes.subarray(at, Math.min(at + CHUNK_BYTES, end + 1));
    },
    remove(name) {
      blobs.delete(name);
    },
    names: () => [...blobs.keys()],
  };
}

function fileShelf(folder: string): Shelf {
  // Spread over subfolders, which some tools and file systems need to stay quick.
  const file = (name: string) => join(folder, name.slice(LARGE.length, LARGE.length + 2), name);
  for (let i = 0; i < 256; i++) mkdirSync(join(folder, i.toString(16).padStart(2, '0')), { recursive: true });
  return {
    write: (name, bytes) => writeFile(file(name), bytes),
    read: (name, { start, end }) =>
      createReadStream(file(name), { start, end, highWaterMark: Math.min(CHUNK_BYTES, end - start + 1) }),
    remove: (name) => rmSync(file(name), { force: true }),
    names: () => readdirSync(folder).flatMap((subfolder) => readdirSync(join(folder, subfolder))),
  };
}

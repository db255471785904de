import { once } from 'node:events';
import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { damaged, isGzip, isZlibError } from './import-bytes.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';

/** A member of a gzip file: reading can begin with it. */
export interface GzipMember {
  /** Its offset in the compressed file. */
  readonly at: number;
  /** Its offset in the uncompressed file. */
  readonly byte: number;
}

/** The end of a member: a checksum and a length. */
const TRAILER_BYTES = 8;
/** The most input that is decompressed at once: even the most compressible data then fit into memory. */
const INPUT_BYTES = 64 * 1024;

/**
 * Decompresses a gzip file from one of its members on, and reports where each one begins. It compares no checksums,
 * which are compared when the file is imported.
 */
export async function* inflatedMembers(
  source: AsyncIterable<Uint8Array>,
  from: GzipMember,
  onMember: (member: GzipMember) => void,
): AsyncGenerator<Uint8Array> {
  const input = new Input(source);
  let { byte } = from;
  while ((await input.peek()) !== undefined) {
    onMember({ at: from.at + input.taken, byte });
    await skipHeader(input);
    for await (const chunk of inflatedMember(input)) {
      byte += chunk.length;
      yield chunk;
    }
    await input.take(TRAILER_BYTES);
  }
}

async function* inflatedMember(input: Input): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  let output: Uint8Array[] = [];
  inflate.on('data', (chunk: Uint8Array) => output.push(chunk));
  const ended = once(inflate, 'end').then(() => true);
  // An error of the data reaches the race below.
  ended.catch(() => undefined);
  try {
    for (let isEnded = false; !isEnded; ) {
      const chunk = (await input.peek())?.subarray(0, INPUT_BYTES);
      if (!chunk) throw new UnreadableFile('The gzip data is cut short.');
      const before = inflate.bytesWritten;
      isEnded = await Promise.race([ended, writeChunk(inflate, chunk)]);
      input.skip(inflate.bytesWritten - before);
      yield* output;
      output = [];
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw damaged(error);
  } finally {
    inflate.destroy();
  }
}

/** Resolves to false when the chunk was consumed: the data may go on. */
const writeChunk = (inflate: InflateRaw, chunk: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => inflate.write(chunk, () => resolve(false)));

/** Skips the header of a member (RFC 1952). */
async function skipHeader(input: Input): Promise<void> {
  const header = await input.take(10);
  const [, , method, flags = 0] = header;
  if (!isGzip(header) || method !== DEFLATE) throw new UnreadableFile('A member of the gzip data has no header.');
  if (flags & EXTRA) {
    const [low = 0, high = 0] = await input.take(2);
    await input.take(low + 256 * high);
  }
  if (flags & NAME) await input.skipText();
  if (flags & COMMENT) await input.skipText();
  if (flags & CHECKSUM) await input.take(2);
}

const DEFLATE = 8;
const CHECKSUM = 2;
const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;

/** The bytes of a stream, taken as many at a time as are needed. */
class Input {
  taken = 0;
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The bytes at hand, at least one; undefined at the end. */
  async peek(): Promise<Uint8Array | undefined> {
    while (this.#chunk.length === 0) {
      const next = await this.#source.next();
      if (next.done) return undefined;
      this.#chunk = next.value;
    }
    return this.#chunk;
  }

  skip(bytes: number): void {
    this.taken += bytes;
    this.#chunk = this.#chunk.subarray(bytes);
  }

  async take(bytes: number): Promise<Uint8Array> {
    const result = new Uint8Array(bytes);
    for (let at = 0; at < bytes; ) {
      const chunk = (await this.peek())?.subarray(0, bytes - at);
      if (!chunk) throw new UnreadableFile('The gzip data is cut short.');
      result.set(chunk, at);
      at += chunk.length;
      this.skip(chunk.length);
    }
    return result;
  }

  /** Skips a text that ends with a zero byte. */
  async skipText(): Promise<void> {
    while ((await this.take(1))[0] !== 0);
  }
}

import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableFile } from './rows/unreadable-file.ts';

export const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

/** A gzip member cannot be read from the middle, so the bytes before `fromByte` are decompressed and dropped. */
export async function* inflated(source: AsyncIterable<Uint8Array>, fromByte: number): AsyncGenerator<Uint8Array> {
  // An error of the source destroys the stream and so reaches the loop below.
  const stream = pipeline(source, createGunzip({ chunkSize: 256 * 1024 }), () => undefined);
  try {
    yield* without(stream as AsyncIterable<Buffer>, fromByte);
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw damaged(error);
  }
}

/** Drops the first bytes of a stream. */
export async function* without(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let dropped = 0;
  for await (const chunk of chunks) {
    const drop = Math.min(bytes - dropped, chunk.length);
    dropped += drop;
    if (drop < chunk.length) yield drop > 0 ? chunk.subarray(drop) : chunk;
  }
}

export const damaged = (error: Error): UnreadableFile =>
  new UnreadableFile(`The gzip data is damaged or cut short (${error.message}).`, { cause: error });

export function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

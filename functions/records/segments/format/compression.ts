import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { UnreadableSegment } from './format.ts';

/** Small, and fast enough that analysis remains the bottleneck of builds; higher levels gain a few per cent. */
const LEVEL = 2;

export function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** @param what names the bytes when they cannot be read. */
export function decompress(bytes: Uint8Array, what: string): Uint8Array {
  try {
    const room = contentBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const { buffer, byteOffset, length } = zstdDecompressSync(bytes, room === undefined ? {} : { chunkSize: room });
    const content = new Uint8Array(buffer, byteOffset, length);
    // Copied where zlib's result refers to a buffer of another size.
    return buffer.byteLength > length + 1 ? new Uint8Array(content) : content;
  } catch (cause) {
    throw new UnreadableSegment(`${what} cannot be decompressed`, { cause });
  }
}

/**
 * Room for the content of a frame, by the size that its header states (RFC 8878, 3.1.1.1); undefined when it states
 * none. With room of another size zlib assembles the content from pieces, which takes half as long again. Once the room
 * is full zlib takes more, so it is one byte larger.
 */
function contentBytes(frame: Buffer): number | undefined {
  const descriptor = frame[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryIdBytes = [0, 1, 2, 4][descriptor & 3]!;
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryIdBytes;
  const room = (content: number) => Math.max(content + 1, constants.Z_MIN_CHUNK);
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? room(frame.readUInt8(at)) : undefined;
    case 1:
      return room(frame.readUInt16LE(at) + 256);
    case 2:
      return room(frame.readUInt32LE(at));
    default:
      return undefined;
  }
}

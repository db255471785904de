import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { UnreadableSegment } from './format.ts';

/** Small and fast enough that builds wait for analysis, not for this; higher levels gain a few per cent. */
const LEVEL = 2;

export function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** @param what names the bytes when they cannot be read. */
export function decompress(bytes: Uint8Array, what: string): Uint8Array {
  try {
    // A copy: zlib's own result may hold on to a buffer many times its size.
    return new Uint8Array(zstdDecompressSync(bytes));
  } catch (cause) {
    throw new UnreadableSegment(`${what} cannot be decompressed`, { cause });
  }
}

import { ByteReader, ByteWriter } from './bytes.ts';
import { compress, decompress } from './compression.ts';
import { BLOCK_ALIGNMENT } from './format.ts';

/** Records as lines of JSON text, compressed: the length of what follows, a frame of zstd, and zeros up to the alignment. */
export function writeRecordBlock(lines: Uint8Array): Uint8Array {
  const frame = compress(lines);
  const block = new ByteWriter(frame.length + BLOCK_ALIGNMENT + 8);
  block.varint(frame.length);
  block.raw(frame);
  while (block.length % BLOCK_ALIGNMENT > 0) block.byte(0);
  return block.view();
}

/** @param what names the block when it cannot be read. */
export function readRecordBlock(block: Uint8Array, what: string): Uint8Array {
  const reader = new ByteReader(block);
  return decompress(reader.raw(reader.varint()), what);
}

import { buffer } from 'node:stream/consumers';
import { createZstdCompress } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compress, decompress } from '../../../functions/records/segments/format/compression.ts';
import { UnreadableSegment } from '../../../functions/records/segments/format/format.ts';

/** Text that compresses, and repeats nowhere exactly. */
const content = (length: number) =>
  Buffer.from(Array.from({ length: Math.ceil(length / 6) }, (_, i) => `${i} `.padStart(6)).join('')).subarray(
    0,
    length,
  );

describe('compressed data', () => {
  // The header of a frame states the size in one, two or four bytes, by these limits; 16 KB is zlib's own room.
  it.each([0, 1, 63, 64, 255, 256, 257, 4_095, 4_096, 16_383, 16_384, 65_791, 65_792, 1_000_000])(
    'is the same again, in memory of its own size: %i bytes',
    (length) => {
      const bytes = content(length);
      const again = decompress(compress(bytes), 'test');
      expect(Buffer.from(again).equals(bytes)).toBe(true);
      expect(again.buffer.byteLength).toBeLessThanOrEqual(length + 1);
    },
  );

  it('is the same again also from the middle of other bytes', () => {
    const compressed = compress(content(60_000));
    const around = Buffer.concat([Buffer.from('x'), compressed, Buffer.from('y')]);
    const again = decompress(around.subarray(1, -1), 'test');
    expect(Buffer.from(again).equals(content(60_000))).toBe(true);
  });

  it('is the same again from a frame that does not state its size', async () => {
    const stream = createZstdCompress();
    stream.write(content(70_000));
    stream.flush(() => stream.end());
    const again = decompress(await buffer(stream), 'test');
    expect(Buffer.from(again).equals(content(70_000))).toBe(true);
    expect(again.buffer.byteLength).toBe(70_000);
  });

  it('is refused when it is damaged or cut short anywhere', () => {
    const compressed = Buffer.from(compress(content(300)));
    for (let length = 0; length < compressed.length; length += 1) {
      expect(() => decompress(compressed.subarray(0, length), 'test'), `${length}`).toThrow(UnreadableSegment);
    }
    for (const at of [0, 4, 10, compressed.length - 1]) {
      const damaged = Buffer.from(compressed);
      damaged[at]! ^= 0x41;
      expect(() => decompress(damaged, 'test'), `${at}`).toThrow(UnreadableSegment);
    }
  });
});

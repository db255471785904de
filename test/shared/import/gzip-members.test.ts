import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GzipMember, inflatedMembers } from '../../../shared/import/gzip-members.ts';
import { UnreadableFile } from '../../../shared/import/rows/unreadable-file.ts';

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size: number, from: GzipMember = { at: 0, byte: 0 }) {
  const members: GzipMember[] = [];
  const chunks = await Array.fromAsync(inflatedMembers(chunked(bytes, size), from, (member) => members.push(member)));
  return { content: Buffer.concat(chunks), members };
}

/** A member with every optional part of its header. */
function withHeader(member: Uint8Array): Buffer {
  const header = Buffer.from(member.subarray(0, 10));
  header[3] = 2 | 4 | 8 | 16;
  const extra = Buffer.from([3, 0, 0x1f, 0x8b, 0x08]);
  const texts = Buffer.from('name.ndjson\0a comment\0');
  return Buffer.concat([header, extra, texts, Buffer.from([0, 0]), member.subarray(10)]);
}

/** A block of a type that does not exist. */
function damagedIn(member: Buffer): Buffer {
  const damaged = Buffer.from(member);
  damaged[10] = 0b111;
  return damaged;
}

describe('a gzip file', () => {
  it('is the same from each of its members on, however the bytes arrive', async () => {
    const piece = fc.oneof(fc.string({ maxLength: 200 }), fc.constant('a line of many\n'.repeat(2_000)));
    const member = fc.record({ text: piece, level: fc.constantFrom(0, 1, 9), header: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(7, 50, 1_000, 100_000),
        async (parts, size) => {
          const texts = parts.map(({ text }) => Buffer.from(text));
          const zipped = parts.map(({ level, header }, i) => {
            const one = gzipSync(texts[i]!, { level });
            return header ? withHeader(one) : one;
          });
          const file = Buffer.concat(zipped);
          const { content, members } = await read(file, size);
          expect(content.equals(Buffer.concat(texts))).toBe(true);
          let [at, byte] = [0, 0];
          const starts = zipped.map((one, i) => {
            const start = { at, byte };
            at += one.length;
            byte += texts[i]!.length;
            return start;
          });
          expect(members).toEqual(starts);
          const last = starts.at(-1)!;
          const rest = await read(file.subarray(last.at), size, last);
          expect(rest).toEqual({ content: texts.at(-1), members: [last] });
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each([
    ['is cut short in its data', gzipSync('x'.repeat(1_000)).subarray(0, -12)],
    ['is cut short in its trailer', gzipSync('x').subarray(0, -3)],
    ['has damaged data', damagedIn(gzipSync('x'.repeat(1_000)))],
    ['is followed by something else', Buffer.concat([gzipSync('x'), Buffer.from('something else')])],
  ])('that %s is unreadable', async (_what, file) => {
    await expect(read(file, 5)).rejects.toThrow(UnreadableFile);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, linesOf, MAX_LINE_BYTES } from '../../../../shared/import/rows/lines.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(bytes: Uint8Array | string, sizes: readonly number[] = [7]): Promise<Line[]> {
  return Array.fromAsync(linesOf(chunked(Buffer.from(bytes), sizes)));
}

describe('lines of a file', () => {
  it('are the same however the bytes arrive, with any mixture of line ends', async () => {
    const piece = fc.constantFrom('a', 'é', '😀', '"', ',', '\n', '\r', '\r\n', '\n\n', '\uFEFF', ' ');
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        async (all, sizes) => {
          const expected = all.split(/\r\n|\n|\r/);
          if (expected.at(-1) === '') expected.pop();
          if (expected[0]?.startsWith('\uFEFF')) expected[0] = expected[0].slice(1);
          const lines = await read(all, sizes);
          expect(lines.map((line) => line.text)).toEqual(expected);
          expect(lines.map((line) => line.number)).toEqual(expected.map((_, i) => i + 1));
          // A worker may begin at the end of any line, whichever chunks the worker before it has read.
          expect(lines).toEqual(await read(all, [1_000]));
        },
      ),
      { numRuns: isThorough ? 500 : 100 },
    );
  });

  it('can be resumed from the end of any line', async () => {
    const bytes = Buffer.from('one\r\ntwo\n\nthrée\rfour');
    const lines = await read(bytes);
    for (const [i, { end, number }] of lines.entries()) {
      const rest = linesOf(chunked(bytes.subarray(end), [3]), { byte: end, line: number });
      expect(await Array.fromAsync(rest)).toEqual(lines.slice(i + 1));
    }
  });

  it('that are too long keep their position and lose their text, without using memory', async () => {
    const megabyte = new Uint8Array(1024 * 1024).fill(0x78);
    let held = 0;
    async function* long() {
      yield Buffer.from('before\n');
      const start = process.memoryUsage().arrayBuffers;
      for (let i = 0; i < 24; i += 1) {
        yield megabyte.slice();
        // Dropped text is garbage, which V8 would keep for a while.
        if (i % 8 === 7) collectGarbage();
        held = Math.max(held, process.memoryUsage().arrayBuffers - start);
      }
      yield Buffer.from('\nafter\n');
    }
    const lines = await Array.fromAsync(linesOf(long()));
    expect(lines.map(({ number, text, fault }) => ({ number, text, fault }))).toEqual([
      { number: 1, text: 'before', fault: undefined },
      { number: 2, text: '', fault: 'too-long' },
      { number: 3, text: 'after', fault: undefined },
    ]);
    expect(lines[2]?.start).toBe(7 + 24 * 1024 * 1024 + 1);
    expect(held).toBeLessThan(20 * 1024 * 1024);
  });

  it('of exactly the greatest length are whole', async () => {
    const [line] = await read(new Uint8Array(MAX_LINE_BYTES).fill(0x78), [65_536]);
    expect(line?.text).toHaveLength(MAX_LINE_BYTES);
  });

  it('that are not UTF-8 are distinguished from text', async () => {
    const lines = await read(Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('b')]));
    expect(lines.map(({ text, fault }) => fault ?? text)).toEqual(['a', 'not-utf-8', 'b']);
  });
});

import { hash } from 'node:crypto';

const LF = 0x0a;

/** A sum over the hashes of lines, which is the same in any order of them. */
export class LineSum {
  lines: number;
  /** The sums of the first two words of the hashes, modulo 2 to the 32. */
  readonly words: [number, number];

  constructor(lines = 0, words: readonly [number, number] = [0, 0]) {
    this.lines = lines;
    this.words = [...words];
  }

  /** @param line without its end */
  add(line: string | Uint8Array): void {
    const digest = hash('sha1', line, 'buffer');
    this.lines += 1;
    this.words[0] = (this.words[0] + digest.readUInt32LE(0)) >>> 0;
    this.words[1] = (this.words[1] + digest.readUInt32LE(4)) >>> 0;
  }

  /** @param bytes lines, each with its end */
  addLines(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(LF, at);
      this.add(bytes.subarray(at, end));
      at = end + 1;
    }
  }
}

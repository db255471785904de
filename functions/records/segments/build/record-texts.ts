import { Uint32List } from '../format/bytes.ts';

/** The first chunk is small, for small imports; the following ones are large. */
const FIRST_CHUNK_BYTES = 64 << 10;
const CHUNK_BYTES = 4 << 20;

/** The JSON texts of the records of a segment being built, outside the JavaScript heap. */
export class RecordTexts {
  readonly #chunks: Buffer[] = [];
  #used = 0;
  readonly #chunkOf = new Uint32List();
  readonly #starts = new Uint32List();
  readonly #ends = new Uint32List();
  bytes = 0;

  add(text: string): void {
    // No UTF-16 code unit takes more than three bytes.
    const most = text.length * 3;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.length - this.#used < most) {
      const size = chunk === undefined ? FIRST_CHUNK_BYTES : CHUNK_BYTES;
      chunk = Buffer.allocUnsafeSlow(Math.max(size, most));
      this.#chunks.push(chunk);
      this.#used = 0;
    }
    const length = chunk.write(text, this.#used);
    this.#chunkOf.push(this.#chunks.length - 1);
    this.#starts.push(this.#used);
    this.#used += length;
    this.#ends.push(this.#used);
    this.bytes += length;
  }

  /** The text of the nth record that was added. */
  at(record: number): Uint8Array {
    const chunk = this.#chunks[this.#chunkOf.view()[record]!]!;
    return chunk.subarray(this.#starts.view()[record], this.#ends.view()[record]);
  }
}

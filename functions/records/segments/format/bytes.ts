import { UnreadableSegment } from './format.ts';

/** A growing run of bytes. Integers are varints: seven bits a byte, low bits first, up to 2^53. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  varint(value: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    while (rest > 0x7fffffff) {
      bytes[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  raw(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from;
    this.#reserve(count);
    // A loop beats `set` for the few bytes of a term.
    if (count < 32) for (let i = 0; i < count; i++) this.#bytes[this.#length + i] = source[from + i]!;
    else this.#bytes.set(source.subarray(from, to), this.#length);
    this.#length += count;
  }

  /** Appends everything that another writer holds. */
  append(other: ByteWriter): void {
    if (other.#length > 0) this.raw(other.#bytes, 0, other.#length);
  }

  float64(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** The bytes so far; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of the bytes so far. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a `ByteWriter` wrote. Reading past the end throws, so that damaged data is never accepted as valid. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get position(): number {
    return this.#at;
  }

  varint(): number {
    const bytes = this.#bytes;
    let result = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[this.#at++];
      if (byte === undefined) throw new UnreadableSegment('the data ends inside a number');
      result += (byte & 127) * scale;
      if (byte < 128) return result;
      scale *= 128;
    }
  }

  raw(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new UnreadableSegment('the data ends too early');
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }

  float64(): number {
    const view = this.raw(8);
    return new DataView(view.buffer, view.byteOffset, 8).getFloat64(0, true);
  }
}

/** A growing list of 32-bit integers without an object per number. */
export class Uint32List {
  #values = new Uint32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(grownLength(this.#length));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** The numbers so far; valid until the next `push`. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}

/** A list that grows to millions of 32-bit integers: page by page, so that growing copies nothing. */
export class Uint32Pages {
  readonly #pages: Uint32Array[] = [];
  #last = new Uint32Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length++ & PAGE_MASK;
    if (at === 0) {
      this.#last = new Uint32Array(PAGE_MASK + 1);
      this.#pages.push(this.#last);
    }
    this.#last[at] = value;
  }

  at(index: number): number {
    return this.#pages[index >>> PAGE_BITS]![index & PAGE_MASK]!;
  }
}

const PAGE_BITS = 14;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** A growing list of doubles. */
export class Float64List {
  #values = new Float64Array(16);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(grownLength(this.#length));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** The numbers so far; valid until the next `push`. */
  view(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Grows by half instead of doubling, so that the big lists of a build do not take twice the memory that they need. */
const grownLength = (length: number): number => Math.ceil(length * 1.5);

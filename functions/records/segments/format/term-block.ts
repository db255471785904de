import { ByteReader, ByteWriter } from './bytes.ts';
import { UnreadableSegment } from './format.ts';
import type { TermSlice } from './term-bytes.ts';

/**
 * A dictionary block: neighbouring terms of one field. The terms come first, each as (bytes shared with the term
 * before, further bytes); then per term how many records have it and how long its postings and positions are. Where
 * those begin follows from the lengths. A term of a single record has its ordinal here and no postings.
 */
export class TermBlockWriter {
  readonly #terms = new ByteWriter();
  readonly #numbers = new ByteWriter();
  count = 0;

  get bytes(): number {
    return this.#terms.length + this.#numbers.length;
  }

  /** The term added last. */
  last: TermSlice = { bytes: new Uint8Array(0), from: 0, to: 0 };

  /** The term must not change until the next one is added. The `postings` of a term of one record are its ordinal. */
  add(term: TermSlice, numbers: { records: number; postings: number; positions?: number }): void {
    const shared = this.count === 0 ? 0 : sharedBytes(term, this.last);
    this.#terms.varint(shared);
    this.#terms.varint(term.to - term.from - shared);
    this.#terms.raw(term.bytes, term.from + shared, term.to);
    this.#numbers.varint(numbers.records);
    this.#numbers.varint(numbers.postings);
    if (numbers.positions !== undefined) this.#numbers.varint(numbers.positions);
    this.count++;
    this.last = term;
  }

  /** The block as bytes; the writer is empty again, but still knows the last term. */
  flush(): Uint8Array {
    const block = new ByteWriter(this.bytes + 16);
    block.varint(this.count);
    block.varint(this.#terms.length);
    block.raw(this.#terms.view());
    block.raw(this.#numbers.view());
    this.#terms.clear();
    this.#numbers.clear();
    this.count = 0;
    return block.view();
  }
}

/** The facts of a term that are known before its postings are read. */
export interface TermEntry {
  readonly records: number;
  /** The only record of a term with `records` 1. */
  readonly ordinal: number;
  /** Place inside the postings and the positions of the block. */
  readonly postingsStart: number;
  readonly postingsEnd: number;
  readonly positionsStart: number;
  readonly positionsEnd: number;
}

/** Reads a dictionary block. */
export class TermBlock {
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #termsStart: number;
  readonly #entries: TermEntry[] = [];

  constructor(bytes: Uint8Array, positional: boolean) {
    const head = new ByteReader(bytes);
    this.#bytes = bytes;
    this.count = head.varint();
    const termsLength = head.varint();
    this.#termsStart = head.position;
    const numbers = new ByteReader(bytes, head.position + termsLength);
    let postings = 0;
    let positions = 0;
    for (let i = 0; i < this.count; i++) {
      const records = numbers.varint();
      const value = numbers.varint();
      const postingsEnd = records === 1 ? postings : postings + value;
      const positionsEnd = positional ? positions + numbers.varint() : positions;
      this.#entries.push({
        records,
        ordinal: value,
        postingsStart: postings,
        postingsEnd,
        positionsStart: positions,
        positionsEnd,
      });
      postings = postingsEnd;
      positions = positionsEnd;
    }
  }

  entry(index: number): TermEntry {
    const entry = this.#entries[index];
    if (entry === undefined) throw new UnreadableSegment('a dictionary block has fewer terms than it says');
    return entry;
  }

  /** Index of the first term that is not before the given one; `count` when all are. */
  lowerBound(term: Uint8Array): number {
    const terms = new ByteReader(this.#bytes, this.#termsStart);
    // The number of leading bytes that the previous term shares with the one searched for.
    let matched = 0;
    for (let i = 0; i < this.count; i++) {
      const shared = terms.varint();
      const suffix = terms.raw(terms.varint());
      if (i > 0 && shared > matched) continue;
      if (i > 0 && shared < matched) return i;
      const rest = term.subarray(shared);
      const same = sharedLength(suffix, rest);
      if (same === rest.length || (same < suffix.length && suffix[same]! > rest[same]!)) return i;
      matched = shared + same;
    }
    return this.count;
  }

  /** Every term from one index up to another. The bytes are valid until the next term. */
  *terms(from = 0, to = this.count): Generator<{ index: number; bytes: Uint8Array }> {
    const reader = new ByteReader(this.#bytes, this.#termsStart);
    let term = new Uint8Array(64);
    for (let index = 0; index < to; index++) {
      const shared = reader.varint();
      const suffix = reader.raw(reader.varint());
      const length = shared + suffix.length;
      if (length > term.length) {
        const longer = new Uint8Array(length * 2);
        longer.set(term);
        term = longer;
      }
      term.set(suffix, shared);
      if (index >= from) yield { index, bytes: term.subarray(0, length) };
    }
  }
}

/** The shortest start of `term` that is after `previous`: enough to find the block that `term` begins. */
export function separator(previous: TermSlice, { bytes, from, to }: TermSlice): Uint8Array {
  return bytes.slice(from, Math.min(to, from + sharedBytes(previous, { bytes, from, to }) + 1));
}

/** The number of leading bytes that two terms share. */
function sharedBytes(a: TermSlice, b: TermSlice): number {
  const most = Math.min(a.to - a.from, b.to - b.from);
  let shared = 0;
  while (shared < most && a.bytes[a.from + shared] === b.bytes[b.from + shared]) shared++;
  return shared;
}

function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

import { ASCII_IN_WORDS, words } from '../../query/index-terms.ts';
import { type TermSlice, writeUnit } from '../format/term-bytes.ts';
import { sortTerms } from './sort-terms.ts';

/** The numbers of the terms of all fields of a segment being built, and how often each has been used. */
export class TermNumbers {
  count = 0;
  #uses = new Uint32Array(256);

  next(): number {
    if (this.count === this.#uses.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.#uses);
      this.#uses = grown;
    }
    return this.count++;
  }

  use(number: number): void {
    this.#uses[number]! += 1;
  }

  uses(number: number): number {
    return this.#uses[number]!;
  }
}

const NONE = -1;

/**
 * The terms of one field while a segment is built: a hash table over one array of bytes. A `Map` of strings would work,
 * but with a million terms it takes several times the memory, and the terms are needed as sorted bytes in the end.
 */
export class TermTable {
  readonly #numbers: TermNumbers;
  #bytes = new Uint8Array(1 << 10);
  #bytesEnd = 0;
  /** By place in the table, which is the order of arrival: the offset of the term, its hash, its number. */
  #starts = new Uint32Array(64);
  #hashes = new Int32Array(64);
  #numberOf = new Uint32Array(64);
  #slots = new Int32Array(128).fill(NONE);
  #count = 0;

  constructor(numbers: TermNumbers) {
    this.#numbers = numbers;
  }

  /** The number of the term; a new one, if the term is new. */
  numberOf(term: string): number {
    this.#reserveBytes(term.length * 3);
    const bytes = this.#bytes;
    let end = this.#bytesEnd;
    let hash = NO_UNITS;
    for (let i = 0; i < term.length; i++) {
      const unit = term.charCodeAt(i);
      hash = hashed(hash, unit);
      end = writeUnit(unit, bytes, end);
    }
    return this.#numberOfWritten(end, hash);
  }

  /**
   * The numbers of the words of a text, in their order: the same words as `words`, in one pass and without a string for
   * each.
   */
  eachWord(text: string, use: (number: number) => void): void {
    this.#reserveBytes(text.length);
    const bytes = this.#bytes;
    let start = this.#bytesEnd;
    let end = start;
    let hash = NO_UNITS;
    let count = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return this.#eachWordOfAnyScript(text, count, use);
      const inWord = ASCII_IN_WORDS[unit]!;
      if (inWord !== 0) {
        bytes[end++] = inWord;
        hash = hashed(hash, inWord);
      } else if (end > start) {
        use(this.#numberOfWritten(end, hash));
        count++;
        start = this.#bytesEnd;
        end = start;
        hash = NO_UNITS;
      }
    }
    if (end > start) use(this.#numberOfWritten(end, hash));
  }

  /** The places of all terms in the order of the terms. */
  sorted(): Uint32Array {
    return sortTerms(this.#bytes, this.#starts.subarray(0, this.#count + 1));
  }

  /** The number of the term at a place. */
  numberAt(place: number): number {
    return this.#numberOf[place]!;
  }

  termAt(place: number): TermSlice {
    return { bytes: this.#bytes, from: this.#starts[place]!, to: this.#starts[place + 1]! };
  }

  /**
   * Lower case may depend on the preceding characters, so the text is read as a whole. @param from word to begin with.
   */
  #eachWordOfAnyScript(text: string, from: number, use: (number: number) => void): void {
    const all = words(text);
    for (let i = from; i < all.length; i++) use(this.numberOf(all[i]!));
  }

  /** The number of the term that has been written after all terms, up to `end`. */
  #numberOfWritten(end: number, unitsHash: number): number {
    // The high bits are folded into the low ones, which choose the slot.
    const hash = unitsHash ^ (unitsHash >>> 15);
    const length = end - this.#bytesEnd;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let place = this.#slots[slot]!; place !== NONE; place = this.#slots[slot]!) {
      if (this.#hashes[place] === hash && this.#isAt(place, length)) return this.#numberOf[place]!;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, hash, length);
  }

  /** Returns whether the term at the place is the one just written after all terms. */
  #isAt(place: number, length: number): boolean {
    const start = this.#starts[place]!;
    if (this.#starts[place + 1]! - start !== length) return false;
    const bytes = this.#bytes;
    for (let i = 0, written = this.#bytesEnd; i < length; i++)
      if (bytes[start + i] !== bytes[written + i]) return false;
    return true;
  }

  #add(slot: number, hash: number, length: number): number {
    const place = this.#count++;
    if (place + 1 === this.#starts.length) this.#growPlaces();
    const number = this.#numbers.next();
    this.#bytesEnd += length;
    this.#starts[place + 1] = this.#bytesEnd;
    this.#hashes[place] = hash;
    this.#numberOf[place] = number;
    this.#slots[slot] = place;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return number;
  }

  #reserveBytes(count: number): void {
    if (this.#bytesEnd + count <= this.#bytes.length) return;
    // Memory not yet written to is not allocated, and doubling copies least.
    const grown = new Uint8Array(Math.max(this.#bytesEnd + count, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#bytesEnd));
    this.#bytes = grown;
  }

  #growPlaces(): void {
    const size = this.#starts.length * 2;
    const starts = new Uint32Array(size);
    starts.set(this.#starts);
    this.#starts = starts;
    const hashes = new Int32Array(size);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const numbers = new Uint32Array(size);
    numbers.set(this.#numberOf);
    this.#numberOf = numbers;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    const mask = slots.length - 1;
    for (let place = 0; place < this.#count; place++) {
      let slot = this.#hashes[place]! & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = place;
    }
    this.#slots = slots;
  }
}

/** FNV-1a over code units. */
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const NO_UNITS = 0x811c9dc5;

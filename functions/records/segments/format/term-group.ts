import { ByteReader, type ByteWriter } from './bytes.ts';
import { decompress } from './compression.ts';
import { type Extent, UnreadableSegment } from './format.ts';
import type { Separators } from './meta.ts';

/** A dictionary block of a group: its compressed terms, and the bytes of their postings and positions. */
export interface GroupBlock {
  readonly separator: Uint8Array;
  readonly dictionary: number;
  readonly postings: number;
  readonly positions: number;
}

/** Writes the table that stands before the dictionary blocks of a group. */
export function writeGroupTable(blocks: readonly GroupBlock[], into: ByteWriter): void {
  into.varint(blocks.length);
  for (const { separator, dictionary, postings, positions } of blocks) {
    into.varint(separator.length);
    into.raw(separator);
    into.varint(dictionary);
    into.varint(postings);
    into.varint(positions);
  }
}

/** The dictionary blocks of a group. The extents of postings and positions are relative to those of the group. */
export class TermGroup implements Separators {
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #separators: Uint8Array[] = [];
  readonly #dictionaries: Extent[] = [];
  readonly #postings: Extent[] = [];
  readonly #positions: Extent[] = [];

  /** @param bytes the table and the dictionary blocks. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const table = new ByteReader(bytes);
    this.count = table.varint();
    const ends = [0, 0, 0];
    for (let block = 0; block < this.count; block++) {
      this.#separators.push(table.raw(table.varint()));
      for (const [part, extents] of [this.#dictionaries, this.#postings, this.#positions].entries()) {
        const length = table.varint();
        extents.push({ offset: ends[part]!, length });
        ends[part]! += length;
      }
    }
    for (const [block, { offset, length }] of this.#dictionaries.entries()) {
      this.#dictionaries[block] = { offset: table.position + offset, length };
    }
    if (this.count === 0 || table.position + ends[0]! !== bytes.length) {
      throw new UnreadableSegment('a term group does not end where its table says');
    }
  }

  separator(block: number): Uint8Array {
    return this.#separators[block]!;
  }

  /** The terms of a block, decompressed. @param what names the block when it cannot be read. */
  dictionary(block: number, what: string): Uint8Array {
    const { offset, length } = this.#dictionaries[block]!;
    return decompress(this.#bytes.subarray(offset, offset + length), what);
  }

  postings(block: number): Extent {
    return this.#postings[block]!;
  }

  positions(block: number): Extent {
    return this.#positions[block]!;
  }
}

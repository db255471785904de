import { ByteReader, ByteWriter } from './bytes.ts';
import { UnreadableSegment } from './format.ts';

/**
 * The positions of a term in each record of its postings. Records come in blocks of 128; when there are several, a
 * table of their byte lengths comes first, so that a phrase decodes only the blocks of records that hold all its words.
 * Of a record: (first position × 2 + whether there are more), then, if there are, their count and their distances.
 */
const RECORDS_PER_BLOCK = 128;

/** Distance between the words of two values of a field, so that no phrase crosses from one into the next. */
export const VALUE_GAP = 100;

/** Collects the positions of one term, record by record. Made once and used for term after term. */
export class PositionsWriter {
  readonly #body = new ByteWriter();
  readonly #blockLengths: number[] = [];
  #records = 0;
  #blockStart = 0;

  /** @param positions ascending; those from index `from` up to `to` are the next record's. */
  add(positions: Uint32Array, from: number, to: number): void {
    this.#nextRecord();
    let previous = positions[from]!;
    const more = to - from - 1;
    this.#body.varint(previous * 2 + (more > 0 ? 1 : 0));
    if (more > 0) this.#body.varint(more);
    for (let i = from + 1; i < to; i++) {
      const position = positions[i]!;
      this.#body.varint(position - previous);
      previous = position;
    }
  }

  /** Copies the next record's positions from another segment. */
  addEncoded(bytes: Uint8Array, from: number, to: number): void {
    this.#nextRecord();
    this.#body.raw(bytes, from, to);
  }

  /** Writes the term's positions and is empty again. */
  flush(into: ByteWriter): void {
    if (this.#blockLengths.length > 0) {
      this.#blockLengths.push(this.#body.length - this.#blockStart);
      for (const length of this.#blockLengths) into.varint(length);
    }
    into.append(this.#body);
    this.#body.clear();
    this.#blockLengths.length = 0;
    this.#records = 0;
    this.#blockStart = 0;
  }

  #nextRecord(): void {
    if (this.#records > 0 && this.#records % RECORDS_PER_BLOCK === 0) {
      this.#blockLengths.push(this.#body.length - this.#blockStart);
      this.#blockStart = this.#body.length;
    }
    this.#records++;
  }
}

/** Goes forward through the positions of one term. */
export class PositionsCursor {
  readonly #bytes: Uint8Array;
  /** The start of each block. */
  readonly #blockStarts: Uint32Array;
  /** The record that `#at` stands before. */
  #record = 0;
  #at: number;
  /** The positions of the record last read are the first `length` of these. */
  positions = new Uint32Array(16);

  /** @param count records of the term. */
  constructor(bytes: Uint8Array, count: number) {
    this.#bytes = bytes;
    this.#blockStarts = blockStarts(bytes, count);
    this.#at = this.#blockStarts[0]!;
  }

  /** Reads the positions of the term's nth record, not before the last one read, and returns how many. */
  read(record: number): number {
    this.#seek(record);
    this.#record++;
    const first = this.#bytes[this.#at];
    // Most records have the term once, and early: one byte.
    if (first !== undefined && (first & 129) === 0) {
      this.#at++;
      this.positions[0] = first >>> 1;
      return 1;
    }
    const head = this.#varint();
    let position = head >>> 1;
    this.positions[0] = position;
    if ((head & 1) === 0) return 1;
    const more = this.#varint();
    if (more >= this.positions.length) {
      this.positions = new Uint32Array(more * 2);
      this.positions[0] = position;
    }
    for (let i = 1; i <= more; i++) {
      position += this.#varint();
      this.positions[i] = position;
    }
    return more + 1;
  }

  /** Copies the bytes of the nth record's positions to a writer of another segment. */
  copy(record: number, to: PositionsWriter): void {
    this.#seek(record);
    const start = this.#at;
    this.#skip(1);
    to.addEncoded(this.#bytes, start, this.#at);
  }

  #seek(record: number): void {
    const block = Math.floor(record / RECORDS_PER_BLOCK);
    const first = block * RECORDS_PER_BLOCK;
    if (first > this.#record) {
      this.#at = this.#blockStarts[block]!;
      this.#record = first;
    }
    if (this.#record < record) this.#skip(record - this.#record);
  }

  /** Goes past the next records. */
  #skip(records: number): void {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = this.#at;
    for (let left = records; left > 0 && at < end; left--) {
      const head = bytes[at]!;
      while (at < end && bytes[at++]! > 127);
      if ((head & 1) === 0) continue;
      let more = 0;
      for (let shift = 0; at < end; shift += 7) {
        const byte = bytes[at++]!;
        more |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      while (more > 0 && at < end) if (bytes[at++]! < 128) more--;
    }
    this.#at = at;
    this.#record += records;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++];
    if (byte === undefined) throw new UnreadableSegment('positions end too early');
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.#at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}

function blockStarts(bytes: Uint8Array, count: number): Uint32Array {
  const blocks = Math.ceil(count / RECORDS_PER_BLOCK);
  const starts = new Uint32Array(Math.max(blocks, 1));
  if (blocks < 2) return starts;
  const table = new ByteReader(bytes);
  for (let block = 0; block + 1 < blocks; block++) starts[block + 1] = starts[block]! + table.varint();
  table.varint();
  const first = table.position;
  for (let block = 0; block < blocks; block++) starts[block]! += first;
  return starts;
}

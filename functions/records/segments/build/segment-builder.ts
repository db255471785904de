import type { DataRecord, RecordSchema, RecordValue } from '../../schemas/schema.ts';
import { ByteWriter, Uint32List } from '../format/bytes.ts';
import { ID_FIELD, RECORDS_PER_BLOCK, type SegmentSink } from '../format/format.ts';
import { ForwardIndex } from './forward-index.ts';
import { writeIndex } from './inverted-index.ts';
import { RecordTexts } from './record-texts.ts';
import { SegmentWriter, type WrittenSegment } from './segment-writer.ts';
import { TermNumbers, TermTable } from './term-table.ts';

export interface BuiltSegment extends WrittenSegment {
  /** Records in the segment; 0 when only deletions were added. */
  readonly records: number;
  /**
   * Every id that was added or deleted, sorted. Records with one of these ids in older segments are outdated once
   * this segment is in the manifest.
   */
  readonly touchedIds: readonly string[];
}

/**
 * Turns records into a segment. Needs the texts of all its records in memory, and about as much again; the caller
 * watches `records` and `estimatedBytes` and starts another builder in time.
 */
export class SegmentBuilder {
  readonly #index: ForwardIndex;
  readonly #texts = new RecordTexts();
  /** Every id that was added or deleted, by number. */
  readonly #ids = new TermTable(new TermNumbers());
  readonly #idTexts: string[] = [];
  /** Number of the latest record of every id, by the id's number; -1 after a deletion. */
  readonly #latest: number[] = [];
  /** Numbers of the places that records are sorted by, and the place of every record. */
  readonly #places = new Map<string, number>();
  readonly #placeOfRecord = new Uint32List();
  #live = 0;

  constructor(schema: RecordSchema) {
    this.#index = new ForwardIndex(schema);
  }

  /** Records so far, each id once. */
  get records(): number {
    return this.#live;
  }

  /** Bytes of JSON text so far, replaced records included; the memory used depends on them. */
  get estimatedBytes(): number {
    return this.#texts.bytes;
  }

  /** Adds a record; one with the same id that was added before is replaced. */
  add(record: DataRecord): void {
    this.#setLatest(record.id, this.#placeOfRecord.length);
    this.#live++;
    this.#placeOfRecord.push(this.#place(record));
    this.#texts.add(JSON.stringify(record));
    this.#index.add(record);
  }

  /** Removes a record, from here and, once the manifest names this segment, from older ones. */
  addDeletion(id: string): void {
    this.#setLatest(id, -1);
  }

  /** Writes the data object. The builder cannot be used afterwards. */
  async finish(sink: SegmentSink): Promise<BuiltSegment> {
    const sortedIds = this.#ids.sorted();
    const order = this.#order(sortedIds);
    const writer = new SegmentWriter(sink, order.length);
    await this.#writeRecords(order, writer);
    await this.#writeIds(order, sortedIds, writer);
    await writeIndex(this.#index, order, writer);
    const touchedIds = Array.from(sortedIds, (id) => this.#idTexts[id]!);
    return { ...(await writer.finish()), records: order.length, touchedIds };
  }

  #setLatest(id: string, record: number): void {
    const number = this.#ids.numberOf(id);
    if (number === this.#latest.length) {
      this.#idTexts.push(id);
      this.#latest.push(record);
      return;
    }
    if (this.#latest[number] !== -1) this.#live--;
    this.#latest[number] = record;
  }

  #place(record: DataRecord): number {
    const text = placeOf(record);
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(text, place);
    }
    return place;
  }

  /** The numbers of the live records by place, then id: a counting sort by place over the order by id. */
  #order(sortedIds: Uint32Array): Uint32Array {
    const placeOf = this.#placeOfRecord.view();
    const counts = new Uint32Array(this.#places.size);
    for (const record of this.#latest) if (record !== -1) counts[placeOf[record]!]! += 1;
    const starts = new Uint32Array(this.#places.size);
    let start = 0;
    for (const text of [...this.#places.keys()].sort()) {
      const place = this.#places.get(text)!;
      starts[place] = start;
      start += counts[place]!;
    }
    const order = new Uint32Array(start);
    for (const id of sortedIds) {
      const record = this.#latest[id]!;
      if (record === -1) continue;
      const place = placeOf[record]!;
      order[starts[place]!] = record;
      starts[place]! += 1;
    }
    return order;
  }

  async #writeRecords(order: Uint32Array, writer: SegmentWriter): Promise<void> {
    const lines = new ByteWriter();
    for (let start = 0; start < order.length; start += RECORDS_PER_BLOCK) {
      const block = order.subarray(start, start + RECORDS_PER_BLOCK);
      lines.clear();
      for (const record of block) {
        if (lines.length > 0) lines.byte(LINE_FEED);
        lines.raw(this.#texts.at(record));
      }
      writer.addRecords(lines.view(), block.length);
      if (writer.full) await writer.drain();
    }
  }

  async #writeIds(order: Uint32Array, sortedIds: Uint32Array, writer: SegmentWriter): Promise<void> {
    const ordinals = ordinalsByRecord(order, this.#placeOfRecord.length);
    const only = new Uint32Array(1);
    writer.beginField(ID_FIELD, 'keyword');
    for (const id of sortedIds) {
      const record = this.#latest[id]!;
      if (record === -1) continue;
      only[0] = ordinals[record]!;
      writer.addTerm(this.#ids.termAt(id), only);
      if (writer.full) await writer.drain();
    }
  }
}

const LINE_FEED = 10;

/** Records of the same place become neighbours in the segment: they compress well and are often queried together. */
function placeOf(record: DataRecord): string {
  return `${textOf(record['country'])}\u0000${textOf(record['province'])}\u0000${textOf(record['city'])}`;
}

const textOf = (value: RecordValue | undefined): string => (typeof value === 'string' ? value : '');

function ordinalsByRecord(order: Uint32Array, records: number): Uint32Array {
  const ordinals = new Uint32Array(records);
  order.forEach((record, ordinal) => {
    ordinals[record] = ordinal;
  });
  return ordinals;
}

import type { DataRecord, RecordSchema, RecordValue } from '../records/schema.ts';
import { ByteWriter } from './bytes.ts';
import { ID_FIELD, RECORDS_PER_BLOCK, type SegmentSink } from './format.ts';
import { ForwardIndex } from './forward-index.ts';
import { writeIndex } from './inverted-index.ts';
import { RecordTexts } from './record-texts.ts';
import { SegmentWriter, type WrittenSegment } from './segment-writer.ts';
import { termBytes } from './term-bytes.ts';

export interface BuiltSegment extends WrittenSegment {
  /** Records in the segment; 0 when all that came was deletions. */
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
  /** Number of the latest record of every id; -1 after a deletion. */
  readonly #latest = new Map<string, number>();
  /** The place of every record in the order of the segment is where this text puts it. */
  readonly #sortKeys: string[] = [];
  #live = 0;

  constructor(schema: RecordSchema) {
    this.#index = new ForwardIndex(schema);
  }

  /** Records so far, each id once. */
  get records(): number {
    return this.#live;
  }

  /** Bytes of JSON text so far, replaced records included: what the memory used depends on. */
  get estimatedBytes(): number {
    return this.#texts.bytes;
  }

  /** Adds a record; one with the same id that was added before is replaced. */
  add(record: DataRecord): void {
    this.#forget(record.id);
    this.#latest.set(record.id, this.#sortKeys.length);
    this.#live++;
    this.#sortKeys.push(placeOf(record));
    this.#texts.add(JSON.stringify(record));
    this.#index.add(record);
  }

  /** Removes a record, from here and, once the manifest names this segment, from older ones. */
  addDeletion(id: string): void {
    this.#forget(id);
    this.#latest.set(id, -1);
  }

  /** Writes the data object. The builder is used up. */
  async finish(sink: SegmentSink): Promise<BuiltSegment> {
    const touchedIds = [...this.#latest.keys()].sort();
    const order = this.#order(touchedIds);
    const writer = new SegmentWriter(sink, order.length);
    await this.#writeRecords(order, writer);
    await this.#writeIds(order, touchedIds, writer);
    await writeIndex(this.#index, order, writer);
    return { ...(await writer.finish()), records: order.length, touchedIds };
  }

  #forget(id: string): void {
    const latest = this.#latest.get(id);
    if (latest !== undefined && latest !== -1) this.#live--;
  }

  /** The numbers of the live records by place, then id. */
  #order(sortedIds: readonly string[]): Uint32Array {
    // Equal places are few and ids are sorted already: so only the places need comparing, and a stable sort does it.
    const places = new Map([...new Set(this.#sortKeys)].sort().map((key, rank) => [key, rank]));
    const buckets: number[][] = Array.from(places, () => []);
    for (const id of sortedIds) {
      const record = this.#latest.get(id)!;
      if (record !== -1) buckets[places.get(this.#sortKeys[record]!)!]!.push(record);
    }
    return Uint32Array.from(buckets.flat());
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

  async #writeIds(order: Uint32Array, sortedIds: readonly string[], writer: SegmentWriter): Promise<void> {
    const ordinals = ordinalsByRecord(order, this.#sortKeys.length);
    writer.beginField(ID_FIELD, 'keyword');
    for (const id of sortedIds) {
      const record = this.#latest.get(id)!;
      if (record === -1) continue;
      writer.addTerm(termBytes(id), ordinals.subarray(record, record + 1));
      if (writer.full) await writer.drain();
    }
  }
}

const LINE_FEED = 10;

/** Neighbours in the world become neighbours in the segment: they compress well and are asked for together. */
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

import type { DataRecord, RecordSchema, RecordValue } from '../records/schema.ts';
import { ByteWriter } from './bytes.ts';
import { ID_FIELD, RECORDS_PER_BLOCK, type SegmentSink } from './format.ts';
import { ForwardIndex, type IndexedField } from './forward-index.ts';
import { sortColumn } from './numbers.ts';
import { PositionsWriter } from './positions.ts';
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
    await writeIndex(this.#index, order, this.#sortKeys.length, writer);
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

/** Turns what each record holds into what holds each term, and writes it. */
async function writeIndex(index: ForwardIndex, order: Uint32Array, records: number, writer: SegmentWriter) {
  const sorted = index.fields.map((field) => field.terms.sorted());
  const inverted = invert(index, sorted, order);
  const positions = new PositionsWriter();
  for (const [f, { path, kind, terms }] of index.fields.entries()) {
    writer.beginField(path, kind);
    for (const place of sorted[f]!) {
      const number = terms.numberAt(place);
      const ordinals = kind === 'text' ? inverted.withPositions(number, positions) : inverted.ordinals(number);
      // Only replaced records had the others.
      if (ordinals.length > 0) writer.addTerm(terms.bytesAt(place), ordinals, kind === 'text' ? positions : undefined);
      if (writer.full) await writer.drain();
    }
  }
  writer.endTerms();
  for (const field of index.fields) {
    writeNumbers(field, order, records, writer);
    if (writer.full) await writer.drain();
  }
  for (const field of index.fields) writer.addExists(field.path, inverted.ordinals(field.exists));
}

function writeNumbers(field: IndexedField, order: Uint32Array, records: number, writer: SegmentWriter): void {
  const all = field.values.view();
  if (all.length === 0) return;
  const ordinals = new Uint32Array(records).fill(REPLACED);
  order.forEach((record, ordinal) => {
    ordinals[record] = ordinal;
  });
  const ofEntries = Uint32Array.from(field.records.view(), (record) => ordinals[record]!);
  const values = all.filter((_, i) => ofEntries[i] !== REPLACED);
  const column = sortColumn(
    values,
    ofEntries.filter((ordinal) => ordinal !== REPLACED),
  );
  const numbers = writer.beginNumbers(field.path, column.single);
  column.values.forEach((value, i) => numbers.add(value, column.ordinals[i]!));
  numbers.end();
}

const REPLACED = 0xffffffff;

/** The occurrences of all terms, term after term, each in the order of records. */
class Inverted {
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #ordinals: Uint32Array;
  readonly #positions: Uint32Array;

  constructor(starts: Uint32Array, ends: Uint32Array, ordinals: Uint32Array, positions: Uint32Array) {
    this.#starts = starts;
    this.#ends = ends;
    this.#ordinals = ordinals;
    this.#positions = positions;
  }

  /** The records of a term that is not of a text field. */
  ordinals(term: number): Uint32Array {
    return this.#ordinals.subarray(this.#starts[term], this.#ends[term]);
  }

  /** The records of a term of a text field; its positions go to the writer. */
  withPositions(term: number, positions: PositionsWriter): Uint32Array {
    const start = this.#starts[term]!;
    const end = this.#ends[term]!;
    const all = this.#ordinals;
    let records = start;
    for (let from = start; from < end; ) {
      const ordinal = all[from]!;
      let to = from + 1;
      while (to < end && all[to] === ordinal) to++;
      positions.add(this.#positions, from, to);
      // In place: what is overwritten has been read.
      all[records++] = ordinal;
      from = to;
    }
    return all.subarray(start, records);
  }
}

/** @param sorted the places of each field's terms, in the order in which they will be written. */
function invert(index: ForwardIndex, sorted: readonly Uint32Array[], order: Uint32Array): Inverted {
  const isText = new Uint8Array(index.terms);
  for (const field of index.fields) {
    if (field.kind === 'text') for (const number of field.terms.numbers()) isText[number] = 1;
  }
  // One more than the ordinal of the record that had the term last; a keyword counts once per record.
  const seen = new Uint32Array(index.terms);
  const ends = new Uint32Array(index.terms);
  order.forEach((record, ordinal) => {
    index.forEachTerm(record, (term) => {
      if (isText[term] === 0) {
        if (seen[term] === ordinal + 1) return;
        seen[term] = ordinal + 1;
      }
      ends[term]! += 1;
    });
  });

  const { starts, textEnd, end } = layOut(index, sorted, ends);
  ends.set(starts);
  seen.fill(0);
  const ordinals = new Uint32Array(end);
  const positions = new Uint32Array(textEnd);
  order.forEach((record, ordinal) => {
    index.forEachTerm(record, (term, position) => {
      if (isText[term] === 1) {
        positions[ends[term]!] = position;
      } else {
        if (seen[term] === ordinal + 1) return;
        seen[term] = ordinal + 1;
      }
      ordinals[ends[term]!] = ordinal;
      ends[term]! += 1;
    });
  });
  return new Inverted(starts, ends, ordinals, positions);
}

/** Gives every term its place: text terms first, since only they need positions, and all as they will be written. */
function layOut(index: ForwardIndex, sorted: readonly Uint32Array[], counts: Uint32Array) {
  const starts = new Uint32Array(index.terms);
  let end = 0;
  const give = (number: number): void => {
    starts[number] = end;
    end += counts[number]!;
  };
  const placeFields = (text: boolean): void => {
    for (const [f, field] of index.fields.entries()) {
      if ((field.kind === 'text') === text) for (const place of sorted[f]!) give(field.terms.numberAt(place));
    }
  };
  placeFields(true);
  const textEnd = end;
  placeFields(false);
  for (const field of index.fields) give(field.exists);
  return { starts, textEnd, end };
}

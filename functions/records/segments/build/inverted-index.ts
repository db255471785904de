import { sortColumn } from '../format/numbers.ts';
import { PositionsWriter, VALUE_GAP } from '../format/positions.ts';
import { type ForwardIndex, type IndexedField, TEXT_ENDS, VALUE_ENDS } from './forward-index.ts';
import type { SegmentWriter } from './segment-writer.ts';

/** Inverts the terms of each record into the records of each term, and writes them. */
export async function writeIndex(index: ForwardIndex, order: Uint32Array, writer: SegmentWriter): Promise<void> {
  const sorted = index.fields.map((field) => field.terms.sorted());
  const inverted = invert(index, sorted, order);
  const positions = new PositionsWriter();
  for (const [f, { path, kind, terms }] of index.fields.entries()) {
    writer.beginField(path, kind);
    for (const place of sorted[f]!) {
      const number = terms.numberAt(place);
      const ordinals = kind === 'text' ? inverted.withPositions(number, positions) : inverted.ordinals(number);
      // Only replaced records had the other terms.
      if (ordinals.length > 0) writer.addTerm(terms.termAt(place), ordinals, kind === 'text' ? positions : undefined);
      if (writer.full) await writer.drain();
    }
  }
  writer.endTerms();
  for (const field of index.fields) {
    writeNumbers(field, order, writer);
    if (writer.full) await writer.drain();
  }
  for (const field of index.fields) writer.addExists(field.path, inverted.ordinals(field.exists));
}

function writeNumbers(field: IndexedField, order: Uint32Array, writer: SegmentWriter): void {
  const records = field.records.view();
  if (records.length === 0) return;
  const all = field.values.view();
  // Entries came record by record; the column needs them by ordinal, without those of replaced records.
  const firstEntries = new Uint32Array(records.at(-1)! + 1).fill(NO_ENTRY);
  for (let entry = records.length - 1; entry >= 0; entry--) firstEntries[records[entry]!] = entry;
  const values = new Float64Array(records.length);
  const ordinals = new Uint32Array(records.length);
  let count = 0;
  for (let ordinal = 0; ordinal < order.length; ordinal++) {
    const record = order[ordinal]!;
    for (let entry = firstEntries[record] ?? NO_ENTRY; records[entry] === record; entry++) {
      values[count] = all[entry]!;
      ordinals[count++] = ordinal;
    }
  }
  const column = sortColumn(values.subarray(0, count), ordinals.subarray(0, count));
  const numbers = writer.beginNumbers(field.path, column.single);
  for (let i = 0; i < column.values.length; i++) numbers.add(column.values[i]!, column.ordinals[i]!);
  numbers.end();
}

const NO_ENTRY = 0xffffffff;

/** The occurrences of all terms, term after term, each in the order of records. */
class Inverted {
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #ordinals: Uint32Array;
  readonly #positions: Uint32Array;
  readonly #one = new Uint32Array(1);

  constructor(starts: Uint32Array, ends: Uint32Array, ordinals: Uint32Array, positions: Uint32Array) {
    this.#starts = starts;
    this.#ends = ends;
    this.#ordinals = ordinals;
    this.#positions = positions;
  }

  /** The records of a term that is not of a text field; valid until the next call. */
  ordinals(term: number): Uint32Array {
    const start = this.#starts[term]!;
    const end = this.#ends[term]!;
    // Most terms occur in one record, and a view is not cheap.
    if (end - start !== 1) return this.#ordinals.subarray(start, end);
    this.#one[0] = this.#ordinals[start]!;
    return this.#one;
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
      // The list is changed in place: overwritten elements have been read already.
      all[records++] = ordinal;
      from = to;
    }
    return all.subarray(start, records);
  }
}

/** @param sorted the places of each field's terms, in the order in which they will be written. */
function invert(index: ForwardIndex, sorted: readonly Uint32Array[], order: Uint32Array): Inverted {
  const { starts, textEnd, end } = layOut(index, sorted);
  const ends = starts.slice();
  const ordinals = new Uint32Array(end);
  const positions = new Uint32Array(textEnd);
  for (let ordinal = 0; ordinal < order.length; ordinal++) {
    const record = order[ordinal]!;
    const codesEnd = index.startOf(record + 1);
    let inText = false;
    let position = 0;
    for (let i = index.startOf(record); i < codesEnd; i++) {
      const code = index.codes.at(i);
      if (code >= TEXT_ENDS) {
        inText = code !== TEXT_ENDS;
        position = code === VALUE_ENDS ? position + VALUE_GAP : 0;
        continue;
      }
      const at = ends[code]!;
      if (inText) positions[at] = position++;
      else if (at > starts[code]! && ordinals[at - 1] === ordinal) continue;
      ordinals[at] = ordinal;
      ends[code] = at + 1;
    }
  }
  return new Inverted(starts, ends, ordinals, positions);
}

/** Gives every term its place: text terms first, since only they need positions, and all as they will be written. */
function layOut(index: ForwardIndex, sorted: readonly Uint32Array[]) {
  const starts = new Uint32Array(index.terms);
  let end = 0;
  const give = (number: number): void => {
    starts[number] = end;
    end += index.usesOf(number);
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

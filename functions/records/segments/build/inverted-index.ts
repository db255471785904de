import { sortColumn } from '../format/numbers.ts';
import { PositionsWriter, VALUE_GAP } from '../format/positions.ts';
import { type ForwardIndex, type IndexedField, TEXT_ENDS, VALUE_ENDS } from './forward-index.ts';
import { FrequentPairs } from './frequent-pairs.ts';
import { frequentWordsOf } from './frequent-words.ts';
import { Occurrences } from './occurrences.ts';
import type { SegmentWriter } from './segment-writer.ts';

/** Inverts the terms of each record into the records of each term, and writes them. */
export async function writeIndex(index: ForwardIndex, order: Uint32Array, writer: SegmentWriter): Promise<void> {
  const sorted = index.fields.map((field) => field.terms.sorted());
  const inverted = invert(index, sorted, order);
  const frequent = index.fields.map((field, f) =>
    field.kind === 'text'
      ? frequentWordsOf(field, {
          places: sorted[f]!,
          usesOf: (term) => index.usesOf(term),
          records: order.length,
        })
      : [],
  );
  const pairs = new FrequentPairs(index, order, frequent);
  const positions = new PositionsWriter();
  for (const [f, { path, kind, terms }] of index.fields.entries()) {
    const isText = kind === 'text';
    writer.beginField(path, kind, isText ? new Set(frequent[f]!.map(({ word }) => word)) : undefined);
    for (const place of sorted[f]!) {
      const number = terms.numberAt(place);
      const ordinals = isText ? inverted.withPositions(number, positions) : inverted.ordinals(number);
      // Only replaced records had the other terms.
      if (ordinals.length > 0) writer.addTerm(terms.termAt(place), ordinals, isText ? positions : undefined);
      if (writer.full) await writer.drain();
    }
    if (isText) await pairs.write(f, path, writer);
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

/** @param sorted the places of each field's terms, in the order in which they will be written. */
function invert(index: ForwardIndex, sorted: readonly Uint32Array[], order: Uint32Array): Occurrences {
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
  return new Occurrences({ starts, ends, ordinals, positions });
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

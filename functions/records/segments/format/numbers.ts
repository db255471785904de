import type { Extent } from './format.ts';
import type { NumbersMeta } from './meta.ts';

/**
 * A number column: (value, ordinal) sorted by value, then ordinal; a record with several values has several entries.
 * The column comes in groups of 65,536 entries: first the group's values as doubles, then its ordinals. So an
 * interior part of a range costs four bytes an entry, and a writer of any size of column holds one group in memory.
 */
export const ENTRIES_PER_GROUP = 65_536;
/** The meta holds one value in this many. */
export const SPARSE_DISTANCE = 1024;
const VALUE_BYTES = 8;
const ORDINAL_BYTES = 4;

export interface NumberRange {
  readonly from: number;
  readonly fromInclusive: boolean;
  readonly to: number;
  readonly toInclusive: boolean;
}

/** The stretch of entries between two places known from the meta; the wanted place is inside or at its end. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The stretch that contains the first entry of the range. */
export const lowStretch = (column: NumbersMeta, range: NumberRange): Stretch =>
  stretch(column, (value) => (range.fromInclusive ? value < range.from : value <= range.from));

/** The stretch that contains the first entry after the range. */
export const highStretch = (column: NumbersMeta, range: NumberRange): Stretch =>
  stretch(column, (value) => (range.toInclusive ? value <= range.to : value < range.to));

/** The first entry of the stretch that is not below the range. */
export const rangeStart = (values: Float64Array, { start }: Stretch, range: NumberRange): number =>
  start + firstThatIsNot(values, (value) => (range.fromInclusive ? value < range.from : value <= range.from));

/** The first entry of the stretch that is beyond the range. */
export const rangeEnd = (values: Float64Array, { start }: Stretch, range: NumberRange): number =>
  start + firstThatIsNot(values, (value) => (range.toInclusive ? value <= range.to : value < range.to));

/** Bytes of the values of a stretch, which never crosses a group. */
export function valuesExtent(column: NumbersMeta, { start, end }: Stretch): Extent {
  const group = Math.floor(start / ENTRIES_PER_GROUP);
  const offset = groupOffset(column, group) + (start - group * ENTRIES_PER_GROUP) * VALUE_BYTES;
  return { offset, length: (end - start) * VALUE_BYTES };
}

/** Bytes of the ordinals of a stretch, which never crosses a group. */
export function ordinalsExtent(column: NumbersMeta, { start, end }: Stretch): Extent {
  const group = Math.floor(start / ENTRIES_PER_GROUP);
  const entries = Math.min(ENTRIES_PER_GROUP, column.entries - group * ENTRIES_PER_GROUP);
  const ordinals = groupOffset(column, group) + entries * VALUE_BYTES;
  return {
    offset: ordinals + (start - group * ENTRIES_PER_GROUP) * ORDINAL_BYTES,
    length: (end - start) * ORDINAL_BYTES,
  };
}

/** All bytes of the group that begins with the given entry: values, then ordinals. */
export function groupExtent(column: NumbersMeta, start: number): Extent {
  const entries = Math.min(ENTRIES_PER_GROUP, column.entries - start);
  return { offset: groupOffset(column, start / ENTRIES_PER_GROUP), length: entries * (VALUE_BYTES + ORDINAL_BYTES) };
}

/** The stretches between the places of the meta that together cover the given one. */
export function* stretchesIn({ start, end }: Stretch, column: NumbersMeta): Generator<Stretch> {
  const first = Math.floor(start / SPARSE_DISTANCE) * SPARSE_DISTANCE;
  for (let at = first; at < end; at += SPARSE_DISTANCE) {
    yield { start: at, end: Math.min(at + SPARSE_DISTANCE, column.entries) };
  }
}

/** The numbers in a data object; a view when the bytes are aligned for one, else a copy. */
export function float64s(bytes: Uint8Array): Float64Array {
  const aligned = bytes.byteOffset % VALUE_BYTES === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, bytes.length / VALUE_BYTES);
}

export function uint32s(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % ORDINAL_BYTES === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, bytes.length / ORDINAL_BYTES);
}

export interface Column {
  readonly values: Float64Array;
  readonly ordinals: Uint32Array;
  readonly single: boolean;
}

/**
 * Puts entries, given by ascending ordinals, into the order of a column, each (value, ordinal) once. The upper half of
 * a double, made comparable as an integer, and the entry's place go into one 64-bit integer, which sorts natively;
 * entries with equal keys are mostly in order already.
 */
export function sortColumn(values: Float64Array, ordinals: Uint32Array): Column {
  const { length } = values;
  const packed = new BigUint64Array(length);
  const halves = new Uint32Array(packed.buffer);
  const bits = new Uint32Array(values.slice().buffer);
  for (let i = 0; i < length; i++) {
    const upper = bits[i * 2 + 1]!;
    halves[i * 2] = i;
    halves[i * 2 + 1] = upper >>> 31 === 1 ? ~upper : upper | 0x80000000;
  }
  packed.sort();
  const places = new Uint32Array(length);
  for (let i = 0; i < length; i++) places[i] = halves[i * 2]!;
  sortTies(places, halves, values);

  const sorted = { values: new Float64Array(length), ordinals: new Uint32Array(length) };
  let count = 0;
  for (const place of places) {
    const value = values[place]!;
    const ordinal = ordinals[place]!;
    if (count > 0 && sorted.values[count - 1] === value && sorted.ordinals[count - 1] === ordinal) continue;
    sorted.values[count] = value;
    sorted.ordinals[count++] = ordinal;
  }
  return {
    values: sorted.values.subarray(0, count),
    ordinals: sorted.ordinals.subarray(0, count),
    single: count === distinct(ordinals),
  };
}

/** Sorts runs of equal keys by their values; equal values stay in the order of their places. */
function sortTies(places: Uint32Array, halves: Uint32Array, values: Float64Array): void {
  for (let start = 0; start < places.length; ) {
    let end = start + 1;
    let inOrder = true;
    while (end < places.length && halves[end * 2 + 1] === halves[start * 2 + 1]) {
      inOrder &&= values[places[end - 1]!]! <= values[places[end]!]!;
      end++;
    }
    if (!inOrder) places.subarray(start, end).sort((a, b) => values[a]! - values[b]! || a - b);
    start = end;
  }
}

/** The number of different values in an ascending list. */
function distinct(ascending: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < ascending.length; i++) if (i === 0 || ascending[i] !== ascending[i - 1]) count++;
  return count;
}

function groupOffset(column: NumbersMeta, group: number): number {
  return column.offset + group * ENTRIES_PER_GROUP * (VALUE_BYTES + ORDINAL_BYTES);
}

/** The stretch between the last known place whose value passes the test and the next known place. */
function stretch(column: NumbersMeta, passes: (value: number) => boolean): Stretch {
  const index = firstThatIsNot(column.sparse, passes);
  if (index === 0) return { start: 0, end: 0 };
  const start = (index - 1) * SPARSE_DISTANCE;
  return { start, end: Math.min(start + SPARSE_DISTANCE, column.entries) };
}

/** Index of the first value that fails a test which all values before it pass. */
function firstThatIsNot(values: Float64Array, passes: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(values[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

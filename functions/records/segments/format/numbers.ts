import type { ByteWriter } from './bytes.ts';
import { compress, decompress } from './compression.ts';
import { type Extent, UnreadableSegment } from './format.ts';
import type { NumbersMeta } from './meta.ts';

/**
 * A number column: (value, ordinal) sorted by value, then ordinal, and cut into stretches; a record with several values
 * has several entries. Inside a stretch the entries are in the order of ordinals: the ordinals as distances, which take
 * one or two bytes each, and beside them the values, zstd. The ordinals of all stretches come first, then the values
 * of all: the interior of a range needs ordinals only, and they come with one read.
 */
export const ENTRIES_PER_STRETCH = 8192;

export interface NumberRange {
  readonly from: number;
  readonly fromInclusive: boolean;
  readonly to: number;
  readonly toInclusive: boolean;
}

/** The stretches that hold entries of a range. Of those at the edges some entries may be outside of it. */
export interface RangeStretches {
  readonly first: number;
  readonly end: number;
  readonly isEdge: (stretch: number) => boolean;
}

export function stretchesOf({ firsts }: NumbersMeta, range: NumberRange): RangeStretches {
  const isBelow = belowTest(range);
  const isAbove = aboveTest(range);
  const low = firstThatIsNot(firsts, isBelow) - 1;
  const high = firstThatIsNot(firsts, (value) => !isAbove(value)) - 1;
  return { first: Math.max(low, 0), end: high + 1, isEdge: (stretch) => stretch === low || stretch === high };
}

const belowTest = ({ from, fromInclusive }: NumberRange) =>
  fromInclusive ? (value: number) => value < from : (value: number) => value <= from;

const aboveTest = ({ to, toInclusive }: NumberRange) =>
  toInclusive ? (value: number) => value > to : (value: number) => value >= to;

/** The places of the values that are inside the range. */
export function placesInRange(values: Float64Array, range: NumberRange): Uint32Array {
  const { from, fromInclusive, to, toInclusive } = range;
  const places = new Uint32Array(values.length);
  let count = 0;
  for (let place = 0; place < values.length; place++) {
    const value = values[place]!;
    if (value < from || value > to) continue;
    if ((value > from || fromInclusive) && (value < to || toInclusive)) places[count++] = place;
  }
  return places.subarray(0, count);
}

export const entriesIn = ({ entries }: NumbersMeta, stretch: number): number =>
  Math.min(ENTRIES_PER_STRETCH, entries - stretch * ENTRIES_PER_STRETCH);

export const ordinalsExtent = ({ ordinals }: NumbersMeta, first: number, end = first + 1): Extent =>
  between(ordinals, first, end);

export const valuesExtent = ({ values }: NumbersMeta, first: number, end = first + 1): Extent =>
  between(values, first, end);

const between = (offsets: Float64Array, first: number, end: number): Extent => ({
  offset: offsets[first]!,
  length: offsets[end]! - offsets[first]!,
});

/** Writes the entries of a stretch, given in the order of the column. */
export function writeStretch(
  values: Float64Array,
  ordinals: Uint32Array,
  into: Record<'ordinals' | 'values', ByteWriter>,
) {
  const { length } = values;
  const packed = new BigUint64Array(length);
  const halves = new Uint32Array(packed.buffer);
  for (let i = 0; i < length; i++) {
    halves[i * 2] = i;
    halves[i * 2 + 1] = ordinals[i]!;
  }
  packed.sort();
  const sorted = new Float64Array(length);
  let previous = 0;
  for (let i = 0; i < length; i++) {
    const ordinal = halves[i * 2 + 1]!;
    into.ordinals.varint(ordinal - previous);
    previous = ordinal;
    sorted[i] = values[halves[i * 2]!]!;
  }
  into.values.raw(compress(new Uint8Array(sorted.buffer)));
}

export function readOrdinals(bytes: Uint8Array, count: number): Uint32Array {
  const ordinals = new Uint32Array(count);
  let at = 0;
  let ordinal = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 127) << shift;
    }
    ordinal += gap;
    ordinals[i] = ordinal;
  }
  if (at !== bytes.length) throw new UnreadableSegment('a number column does not end where it should');
  return ordinals;
}

/** The values of a stretch, decompressed. */
export function numbersIn(bytes: Uint8Array, count: number): Float64Array {
  if (bytes.length !== count * 8) throw new UnreadableSegment('a number column has the wrong size');
  // A view needs aligned bytes.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, count);
}

export const readValues = (bytes: Uint8Array, count: number): Float64Array =>
  numbersIn(decompress(bytes, 'values of a number column'), count);

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

import { ByteWriter } from './bytes.ts';
import { compress, decompress } from './compression.ts';
import { UnreadableSegment } from './format.ts';
import { bitSet, type OrdinalSet, ordinalsOf, setOf, wordsFor } from './ordinal-set.ts';

/**
 * Sorted ordinals as bytes, in the smallest of three forms; the first byte says which.
 * Deltas suit most terms, bitmaps the most frequent ones, and runs those that the order of records keeps together:
 * a country, a city, "has a name". Many bytes are compressed, where that makes them smaller: what a tenth of all records
 * have takes half the bytes then.
 */
const DELTAS = 0;
const BITMAP = 1;
const RUNS = 2;
const COMPRESSED = 3;

/** The bytes from which compression is tried, and the share that it must save at least. */
const MANY_BYTES = 2048;
const WORTHWHILE_SAVING = 1 / 8;

export function writePostings(ordinals: Uint32Array, records: number, into: ByteWriter): void {
  const { deltaBytes, runBytes } = measure(ordinals);
  const bitmapBytes = (records + 7) >>> 3;
  const bytes = Math.min(deltaBytes, runBytes, bitmapBytes);
  const out = bytes < MANY_BYTES ? into : new ByteWriter(bytes + 16);
  if (runBytes < deltaBytes && runBytes < bitmapBytes) writeRuns(ordinals, out);
  else if (deltaBytes <= bitmapBytes) writeDeltas(ordinals, out);
  else writeBitmap(ordinals, records, out);
  if (out !== into) writeSmaller(out.view(), into);
}

function writeSmaller(bytes: Uint8Array, into: ByteWriter): void {
  const compressed = compress(bytes);
  if (compressed.length > bytes.length * (1 - WORTHWHILE_SAVING)) return into.raw(bytes);
  into.byte(COMPRESSED);
  into.raw(compressed);
}

export const isCompressed = (postings: Uint8Array): boolean => postings[0] === COMPRESSED;

/** The postings in their uncompressed form. */
export const plainPostings = (postings: Uint8Array): Uint8Array =>
  isCompressed(postings) ? decompress(postings.subarray(1), 'postings') : postings;

/** @param count how many ordinals were written. */
export function readPostings(postings: Uint8Array, count: number, records: number): OrdinalSet {
  const bytes = plainPostings(postings);
  if (bytes[0] === DELTAS) return setOf(readDeltas(bytes, count, records), records);
  const words = new Uint32Array(wordsFor(records));
  if (bytes[0] === BITMAP) {
    readBitmap(bytes, records, words);
  } else if (bytes[0] === RUNS) {
    forEachRun(bytes, records, (start, end) => fillBits(words, start, end));
  } else {
    throw new UnreadableSegment('postings are of an unknown form');
  }
  return bitSet(words, count);
}

/** The ordinals themselves. @param count how many were written. */
export function postedOrdinals(postings: Uint8Array, count: number, records: number): Uint32Array {
  const bytes = plainPostings(postings);
  return bytes[0] === DELTAS ? readDeltas(bytes, count, records) : ordinalsOf(readPostings(bytes, count, records));
}

/** Adds the ordinals to a bitmap without making a set of them. */
export function addPostings(postings: Uint8Array, count: number, records: number, words: Uint32Array): void {
  const bytes = plainPostings(postings);
  if (bytes[0] === DELTAS) {
    for (const ordinal of readDeltas(bytes, count, records)) words[ordinal >>> 5]! |= 1 << (ordinal & 31);
  } else if (bytes[0] === RUNS) {
    forEachRun(bytes, records, (start, end) => fillBits(words, start, end));
  } else if (bytes[0] === BITMAP) {
    const own = new Uint32Array(words.length);
    readBitmap(bytes, records, own);
    for (let i = 0; i < words.length; i++) words[i]! |= own[i]!;
  } else {
    throw new UnreadableSegment('postings are of an unknown form');
  }
}

function readBitmap(bytes: Uint8Array, records: number, words: Uint32Array): void {
  if (bytes.length !== 1 + ((records + 7) >>> 3)) throw new UnreadableSegment('a bitmap has the wrong size');
  new Uint8Array(words.buffer).set(bytes.subarray(1));
}

function measure(ordinals: Uint32Array): { deltaBytes: number; runBytes: number } {
  let deltaBytes = 1;
  let runBytes = 1;
  let runLength = 0;
  let previous = -1;
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    const gap = ordinal - previous - 1;
    const size = varintBytes(gap);
    deltaBytes += size;
    if (gap === 0 && i > 0) {
      runLength++;
    } else {
      if (i > 0) runBytes += varintBytes(runLength);
      runBytes += size;
      runLength = 0;
    }
    previous = ordinal;
  }
  return { deltaBytes, runBytes: runBytes + varintBytes(runLength) };
}

const varintBytes = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;

function writeDeltas(ordinals: Uint32Array, into: ByteWriter): void {
  into.byte(DELTAS);
  let previous = -1;
  for (const ordinal of ordinals) {
    into.varint(ordinal - previous - 1);
    previous = ordinal;
  }
}

function readDeltas(bytes: Uint8Array, count: number, records: number): Uint32Array {
  const ordinals = new Uint32Array(count);
  let at = 1;
  let previous = -1;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 127) << shift;
    }
    previous += gap + 1;
    ordinals[i] = previous;
  }
  if (at !== bytes.length || previous >= records) throw new UnreadableSegment('postings do not end where they should');
  return ordinals;
}

function writeBitmap(ordinals: Uint32Array, records: number, into: ByteWriter): void {
  const bitmap = new Uint8Array((records + 7) >>> 3);
  for (const ordinal of ordinals) bitmap[ordinal >>> 3]! |= 1 << (ordinal & 7);
  into.byte(BITMAP);
  into.raw(bitmap);
}

function writeRuns(ordinals: Uint32Array, into: ByteWriter): void {
  into.byte(RUNS);
  let end = 0;
  for (let i = 0; i < ordinals.length; ) {
    const start = ordinals[i]!;
    let length = 1;
    while (i + length < ordinals.length && ordinals[i + length] === start + length) length++;
    into.varint(start - end);
    into.varint(length - 1);
    end = start + length;
    i += length;
  }
}

function forEachRun(bytes: Uint8Array, records: number, run: (start: number, end: number) => void): void {
  let at = 1;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new UnreadableSegment('postings end inside a run');
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  let end = 0;
  while (at < bytes.length) {
    const start = end + next();
    end = start + next() + 1;
    if (end > records) throw new UnreadableSegment('postings name a record that the segment does not have');
    run(start, end);
  }
}

function fillBits(words: Uint32Array, start: number, end: number): void {
  const last = (end - 1) >>> 5;
  for (let word = start >>> 5; word <= last; word++) {
    const low = Math.max(start - word * 32, 0);
    const high = Math.min(end - word * 32, 32);
    words[word]! |= (0xffffffff >>> (32 - (high - low))) << low;
  }
}

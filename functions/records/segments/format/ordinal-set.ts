/**
 * Sets of record ordinals of one segment: a sorted list while few, a bitmap when many.
 */
export type OrdinalSet =
  | { readonly kind: 'list'; readonly ordinals: Uint32Array }
  | { readonly kind: 'bits'; readonly words: Uint32Array; readonly size: number };

const NOTHING: OrdinalSet = { kind: 'list', ordinals: new Uint32Array(0) };

/** The density below which a list is smaller and faster than a bitmap: one ordinal in this many. */
const SPARSE = 32;

export const wordsFor = (records: number): number => (records + 31) >>> 5;

export const noOrdinals = (): OrdinalSet => NOTHING;

export const listSet = (ordinals: Uint32Array): OrdinalSet => ({ kind: 'list', ordinals });

/** The set of the bits, as a list when they are few. */
export function bitSet(words: Uint32Array, size = countBits(words)): OrdinalSet {
  return size * SPARSE < words.length * 32 ? listSet(bitOrdinals(words, size)) : { kind: 'bits', words, size };
}

/** The set of these ordinals, as a bitmap when they are many. */
export function setOf(ordinals: Uint32Array, records: number): OrdinalSet {
  if (ordinals.length * SPARSE < records) return listSet(ordinals);
  const words = new Uint32Array(wordsFor(records));
  addBits(words, listSet(ordinals));
  return { kind: 'bits', words, size: ordinals.length };
}

export function allOrdinals(records: number): OrdinalSet {
  const words = new Uint32Array(wordsFor(records)).fill(0xffffffff);
  clearBeyond(words, records);
  return { kind: 'bits', words, size: records };
}

export const sizeOf = (set: OrdinalSet): number => (set.kind === 'list' ? set.ordinals.length : set.size);

/** The first `limit` ordinals in order. */
export function firstOrdinals(set: OrdinalSet, limit: number): Uint32Array {
  return set.kind === 'list' ? set.ordinals.subarray(0, limit) : bitOrdinals(set.words, Math.min(limit, set.size));
}

export const ordinalsOf = (set: OrdinalSet): Uint32Array => firstOrdinals(set, sizeOf(set));

/** The ordinals `from` to before `to`. */
export interface OrdinalRange {
  readonly from: number;
  readonly to: number;
}

/** The ordinals of a set in a range that begins at a multiple of 32, and ends at one or at the end of the segment. */
export function ordinalsIn(set: OrdinalSet, { from, to }: OrdinalRange): Uint32Array {
  if (set.kind === 'list') return set.ordinals.subarray(lowerBound(set.ordinals, from), lowerBound(set.ordinals, to));
  const words = set.words.subarray(from >>> 5, wordsFor(to));
  return bitOrdinals(words, countBits(words), from);
}

/** Returns whether a set has ordinals in such a range. */
export function hasAny(set: OrdinalSet, { from, to }: OrdinalRange): boolean {
  if (set.kind === 'list') return (set.ordinals[lowerBound(set.ordinals, from)] ?? to) < to;
  const end = wordsFor(to);
  for (let i = from >>> 5; i < end; i++) if (set.words[i] !== 0) return true;
  return false;
}

const lowerBound = (list: Uint32Array, ordinal: number): number => gallop(list, ordinal, 0);

/** Adds the set's bits to `words`. */
function addBits(words: Uint32Array, set: OrdinalSet): void {
  if (set.kind === 'bits') for (let i = 0; i < words.length; i++) words[i]! |= set.words[i]!;
  else {
    const { ordinals } = set;
    for (let i = 0; i < ordinals.length; i++) words[ordinals[i]! >>> 5]! |= 1 << (ordinals[i]! & 31);
  }
}

export function complement(set: OrdinalSet, records: number): OrdinalSet {
  const words = new Uint32Array(wordsFor(records));
  addBits(words, set);
  for (let i = 0; i < words.length; i++) words[i] = ~words[i]!;
  clearBeyond(words, records);
  return bitSet(words, records - sizeOf(set));
}

export function union(sets: readonly OrdinalSet[], records: number): OrdinalSet {
  const filled = sets.filter((set) => sizeOf(set) > 0);
  if (filled.length < 2) return filled[0] ?? NOTHING;
  const words = new Uint32Array(wordsFor(records));
  for (const set of filled) addBits(words, set);
  return bitSet(words);
}

/** The intersection of at least one set. Starts from the smallest, so a rare one makes the rest cheap. */
export function intersection(sets: readonly OrdinalSet[]): OrdinalSet {
  const [smallest, ...others] = [...sets].sort((a, b) => sizeOf(a) - sizeOf(b));
  return others.reduce(intersectTwo, smallest ?? NOTHING);
}

export function difference(from: OrdinalSet, taken: OrdinalSet): OrdinalSet {
  if (sizeOf(from) === 0 || sizeOf(taken) === 0) return from;
  if (from.kind === 'list') {
    return listSet(
      taken.kind === 'bits' ? withBit(from.ordinals, taken.words, 0) : without(from.ordinals, taken.ordinals),
    );
  }
  const words = from.words.slice();
  if (taken.kind === 'list') return bitSet(words, from.size - clearBits(words, taken.ordinals));
  for (let i = 0; i < words.length; i++) words[i]! &= ~taken.words[i]!;
  return bitSet(words);
}

/** Clears the bits of these ordinals, and returns how many of them were set. */
function clearBits(words: Uint32Array, ordinals: Uint32Array): number {
  let cleared = 0;
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    const word = words[ordinal >>> 5]!;
    cleared += (word >>> (ordinal & 31)) & 1;
    words[ordinal >>> 5] = word & ~(1 << (ordinal & 31));
  }
  return cleared;
}

function intersectTwo(a: OrdinalSet, b: OrdinalSet): OrdinalSet {
  if (a.kind === 'list') {
    return listSet(b.kind === 'list' ? intersectLists(a.ordinals, b.ordinals) : withBit(a.ordinals, b.words, 1));
  }
  if (b.kind === 'list') return intersectTwo(b, a);
  const words = new Uint32Array(a.words.length);
  for (let i = 0; i < words.length; i++) words[i] = a.words[i]! & b.words[i]!;
  return bitSet(words);
}

/** The ordinals whose bit is as given. `filter` of a typed array takes 25 times as long. */
function withBit(ordinals: Uint32Array, words: Uint32Array, bit: 0 | 1): Uint32Array {
  const those = new Uint32Array(ordinals.length);
  let count = 0;
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    // Without a branch: bits of words that many records have are as good as random.
    those[count] = ordinal;
    count += ((words[ordinal >>> 5]! >>> (ordinal & 31)) & 1) ^ bit ^ 1;
  }
  return those.subarray(0, count);
}

function without(ordinals: Uint32Array, taken: Uint32Array): Uint32Array {
  const gallops = taken.length > ordinals.length * GALLOP_FROM;
  const those = new Uint32Array(ordinals.length);
  let count = 0;
  let at = 0;
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    if (gallops) at = gallop(taken, ordinal, at);
    else while (at < taken.length && taken[at]! < ordinal) at++;
    if (taken[at] !== ordinal) those[count++] = ordinal;
  }
  return those.subarray(0, count);
}

/** The ratio of lengths from which galloping through the longer list is faster than walking it. */
const GALLOP_FROM = 16;

/** The ordinals in both lists. */
export function intersectLists(one: Uint32Array, two: Uint32Array): Uint32Array {
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  const gallops = long.length > short.length * GALLOP_FROM;
  const both = new Uint32Array(short.length);
  let count = 0;
  let at = 0;
  for (let i = 0; i < short.length; i++) {
    const ordinal = short[i]!;
    if (gallops) at = gallop(long, ordinal, at);
    else while (at < long.length && long[at]! < ordinal) at++;
    if (at === long.length) break;
    if (long[at] === ordinal) both[count++] = ordinal;
  }
  return both.subarray(0, count);
}

/** Index of the first ordinal of `list` from `at` on that is not below `ordinal`. */
export function gallop(list: Uint32Array, ordinal: number, at: number): number {
  let step = 1;
  let low = at;
  let high = at;
  while (high < list.length && list[high]! < ordinal) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A membership test for ordinals in ascending order. */
export function memberTest(set: OrdinalSet): (ordinal: number) => boolean {
  if (set.kind === 'bits') {
    const { words } = set;
    return (ordinal) => ((words[ordinal >>> 5]! >>> (ordinal & 31)) & 1) === 1;
  }
  const { ordinals } = set;
  let at = 0;
  return (ordinal) => {
    at = gallop(ordinals, ordinal, at);
    return ordinals[at] === ordinal;
  };
}

/** @param first the ordinal of the first bit */
function bitOrdinals(words: Uint32Array, limit: number, first = 0): Uint32Array {
  const ordinals = new Uint32Array(limit);
  let count = 0;
  for (let i = 0; count < limit; i++) {
    let word = words[i]!;
    while (word !== 0 && count < limit) {
      ordinals[count++] = first + (i << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return ordinals;
}

function countBits(words: Uint32Array): number {
  let total = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i]!;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    total += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return total;
}

function clearBeyond(words: Uint32Array, records: number): void {
  const used = records & 31;
  if (used !== 0) words[words.length - 1]! &= (1 << used) - 1;
}

/**
 * Sorts terms by their bytes, four at a time: key and place go into one 64-bit integer, which sorts natively, and runs
 * of equal keys are sorted by the bytes that follow. Twice as fast as sorting strings, and creates none.
 * @param starts of each term, and the end of the last.
 * @returns the places of the terms in their order.
 */
export function sortTerms(bytes: Uint8Array, starts: Uint32Array): Uint32Array {
  const places = new Uint32Array(starts.length - 1);
  for (let place = 0; place < places.length; place++) places[place] = place;
  new TermSort(bytes, starts, places).sort(0, places.length, 0);
  return places;
}

/** The number of terms up to which insertion sort is fastest. */
const FEW = 16;

class TermSort {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;
  readonly #packed: BigUint64Array;
  readonly #halves: Uint32Array;

  constructor(bytes: Uint8Array, starts: Uint32Array, places: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#places = places;
    this.#packed = new BigUint64Array(places.length);
    this.#halves = new Uint32Array(this.#packed.buffer);
  }

  /** @param equal how many leading bytes the terms of the run are known to share. */
  sort(from: number, to: number, equal: number): void {
    if (to - from <= FEW) return this.#insert(from, to, equal);
    const depth = this.#shared(from, to, equal);
    const places = this.#places;
    const halves = this.#halves;
    for (let i = from; i < to; i++) {
      halves[i * 2] = places[i]!;
      halves[i * 2 + 1] = this.#key(places[i]!, depth);
    }
    this.#packed.subarray(from, to).sort();
    for (let i = from; i < to; i++) places[i] = halves[i * 2]!;
    // Sorting a run overwrites the keys of that run only, so the key of the next one is intact.
    for (let start = from; start < to; ) {
      const key = halves[start * 2 + 1]!;
      let end = start + 1;
      while (end < to && halves[end * 2 + 1] === key) end++;
      if (end - start > 1) this.#sortRun(start, end, depth);
      start = end;
    }
  }

  /** A run of equal keys: terms that end within the key differ at most by zero bytes, so the shorter come first. */
  #sortRun(from: number, to: number, depth: number): void {
    const ending = this.#endingFirst(from, to, depth + 4);
    this.sort(ending, to, depth + 4);
  }

  /** Puts the terms that end before `depth` first, by length. @returns the end of them. */
  #endingFirst(from: number, to: number, depth: number): number {
    const places = this.#places;
    let end = from;
    for (let i = from; i < to; i++) {
      const place = places[i]!;
      if (this.#length(place) >= depth) continue;
      places[i] = places[end]!;
      let at = end++;
      for (; at > from && this.#length(places[at - 1]!) > this.#length(place); at--) places[at] = places[at - 1]!;
      places[at] = place;
    }
    return end;
  }

  #length(place: number): number {
    return this.#starts[place + 1]! - this.#starts[place]!;
  }

  /** The number of leading bytes that all terms of the run share. */
  #shared(from: number, to: number, equal: number): number {
    const bytes = this.#bytes;
    const first = this.#starts[this.#places[from]!]!;
    let shared = this.#length(this.#places[from]!);
    for (let i = from + 1; i < to && shared > equal; i++) {
      const place = this.#places[i]!;
      const start = this.#starts[place]!;
      const most = Math.min(shared, this.#length(place));
      let same = equal;
      while (same < most && bytes[start + same] === bytes[first + same]) same++;
      shared = same;
    }
    return shared;
  }

  /** Four bytes as one number; zeros after the end. */
  #key(place: number, depth: number): number {
    const bytes = this.#bytes;
    const at = this.#starts[place]! + depth;
    const left = this.#starts[place + 1]! - at;
    if (left >= 4) return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    let key = 0;
    for (let i = 0; i < left; i++) key |= bytes[at + i]! << (24 - i * 8);
    return key;
  }

  #insert(from: number, to: number, equal: number): void {
    const places = this.#places;
    for (let i = from + 1; i < to; i++) {
      const place = places[i]!;
      let at = i;
      for (; at > from && this.#isAfter(places[at - 1]!, place, equal); at--) places[at] = places[at - 1]!;
      places[at] = place;
    }
  }

  #isAfter(one: number, other: number, equal: number): boolean {
    const bytes = this.#bytes;
    const a = this.#starts[one]!;
    const b = this.#starts[other]!;
    const most = Math.min(this.#length(one), this.#length(other));
    for (let i = equal; i < most; i++) if (bytes[a + i] !== bytes[b + i]) return bytes[a + i]! > bytes[b + i]!;
    return this.#length(one) > this.#length(other);
  }
}

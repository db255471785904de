import type { PositionsWriter } from '../format/positions.ts';

/** The occurrences of all terms, term after term, each in the order of records. */
export class Occurrences {
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #ordinals: Uint32Array;
  readonly #positions: Uint32Array;
  readonly #one = new Uint32Array(1);

  /** @param all where the occurrences of each term start and end, and their ordinals and positions. */
  constructor({
    starts,
    ends,
    ordinals,
    positions,
  }: Readonly<Record<'starts' | 'ends' | 'ordinals' | 'positions', Uint32Array>>) {
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

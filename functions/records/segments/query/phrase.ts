import { gallop, intersectLists } from '../format/ordinal-set.ts';
import { PositionsCursor } from '../format/positions.ts';

export interface PhraseTerm {
  readonly ordinals: Uint32Array;
  readonly positions: Uint8Array;
}

/** The records in which the terms follow one another. Positions are decoded only where all terms are. */
export function matchPhrase(terms: readonly PhraseTerm[]): Uint32Array {
  const [rarest, ...others] = terms
    .map(({ ordinals, positions }, offset) => new PhrasePart(ordinals, positions, offset))
    .sort((a, b) => a.ordinals.length - b.ordinals.length);
  if (!rarest) return new Uint32Array(0);
  const candidates = others.reduce((both, part) => intersectLists(both, part.ordinals), rarest.ordinals);
  const starts = new StartList();
  return candidates.filter((ordinal) => {
    rarest.read(ordinal);
    starts.fill(rarest);
    for (const part of others) {
      if (starts.length === 0) return false;
      part.read(ordinal);
      starts.keepOnly(part);
    }
    return starts.length > 0;
  });
}

/** One word of the phrase. */
class PhrasePart {
  readonly ordinals: Uint32Array;
  readonly #cursor: PositionsCursor;
  readonly #offset: number;
  #at = 0;
  /** Positions in the record last read. */
  count = 0;

  constructor(ordinals: Uint32Array, positions: Uint8Array, offset: number) {
    this.ordinals = ordinals;
    this.#cursor = new PositionsCursor(positions, ordinals.length);
    this.#offset = offset;
  }

  /** Reads the word's positions in a record. Records must be requested in ascending order. */
  read(ordinal: number): void {
    this.#at = gallop(this.ordinals, ordinal, this.#at);
    this.count = this.#cursor.read(this.#at);
  }

  /**
   * The offset at which the phrase would begin, given the nth position of the word; below 0 when there is no room for
   * it.
   */
  start(n: number): number {
    return this.#cursor.positions[n]! - this.#offset;
  }
}

/** The possible beginnings of the phrase in one record. One list serves all records. */
class StartList {
  #starts = new Int32Array(64);
  length = 0;

  fill(part: PhrasePart): void {
    if (part.count > this.#starts.length) this.#starts = new Int32Array(part.count * 2);
    this.length = 0;
    for (let n = 0; n < part.count; n++) {
      const start = part.start(n);
      if (start >= 0) this.#starts[this.length++] = start;
    }
  }

  /** Drops the places where the word does not fit. Both lists ascend. */
  keepOnly(part: PhrasePart): void {
    let count = 0;
    let n = 0;
    for (let i = 0; i < this.length; i++) {
      const start = this.#starts[i]!;
      while (n < part.count && part.start(n) < start) n++;
      if (n < part.count && part.start(n) === start) this.#starts[count++] = start;
    }
    this.length = count;
  }
}

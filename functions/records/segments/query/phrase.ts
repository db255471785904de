import { gallop, intersectLists } from '../format/ordinal-set.ts';
import { PositionsCursor } from '../format/positions.ts';

/** A word or a pair of words of a phrase, at its offset in the phrase. */
export interface PhrasePart {
  readonly ordinals: Uint32Array;
  readonly positions: Uint8Array;
  readonly offset: number;
}

/** The records in which all parts are at their offsets. Positions are decoded only where all parts are. */
export function matchPhrase(parts: readonly PhrasePart[]): Uint32Array {
  const [rarest, ...others] = parts
    .map((part) => new PartCursor(part))
    .sort((a, b) => a.ordinals.length - b.ordinals.length);
  if (!rarest) return new Uint32Array(0);
  const candidates = others.reduce((both, part) => intersectLists(both, part.ordinals), rarest.ordinals);
  const starts = new StartList();
  const matches = new Uint32Array(candidates.length);
  let count = 0;
  for (let i = 0; i < candidates.length; i++) {
    const ordinal = candidates[i]!;
    rarest.read(ordinal);
    starts.fill(rarest);
    for (let n = 0; n < others.length && starts.length > 0; n++) {
      others[n]!.read(ordinal);
      starts.keepOnly(others[n]!);
    }
    if (starts.length > 0) matches[count++] = ordinal;
  }
  return matches.subarray(0, count);
}

/** Goes forward through the records of one part. */
class PartCursor {
  readonly ordinals: Uint32Array;
  readonly #cursor: PositionsCursor;
  readonly #offset: number;
  #at = 0;
  /** Positions in the record last read. */
  count = 0;

  constructor({ ordinals, positions, offset }: PhrasePart) {
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

  fill(part: PartCursor): void {
    if (part.count > this.#starts.length) this.#starts = new Int32Array(part.count * 2);
    this.length = 0;
    for (let n = 0; n < part.count; n++) {
      const start = part.start(n);
      if (start >= 0) this.#starts[this.length++] = start;
    }
  }

  /** Drops the places where the word does not fit. Both lists ascend. */
  keepOnly(part: PartCursor): void {
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

import { gallop, intersectLists } from './ordinal-set.ts';
import { PositionsCursor } from './positions.ts';

export interface PhraseTerm {
  readonly ordinals: Uint32Array;
  readonly positions: Uint8Array;
}

/** The records in which the terms stand one behind the other. Positions are decoded only where all terms are. */
export function matchPhrase(terms: readonly PhraseTerm[]): Uint32Array {
  const [rarest, ...others] = terms
    .map(({ ordinals, positions }, offset) => new PhrasePart(ordinals, positions, offset))
    .sort((a, b) => a.ordinals.length - b.ordinals.length);
  if (!rarest) return new Uint32Array(0);
  const candidates = others.reduce((both, part) => intersectLists(both, part.ordinals), rarest.ordinals);
  return candidates.filter((ordinal) => {
    let starts = rarest.startsIn(ordinal);
    for (const part of others) {
      if (starts.length === 0) break;
      starts = common(starts, part.startsIn(ordinal));
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

  constructor(ordinals: Uint32Array, positions: Uint8Array, offset: number) {
    this.ordinals = ordinals;
    this.#cursor = new PositionsCursor(positions, ordinals.length);
    this.#offset = offset;
  }

  /** Where the phrase would begin in the record, going by this word. Records are asked in ascending order. */
  startsIn(ordinal: number): number[] {
    this.#at = gallop(this.ordinals, ordinal, this.#at);
    const count = this.#cursor.read(this.#at);
    const starts: number[] = [];
    for (let i = 0; i < count; i++) {
      const start = this.#cursor.positions[i]! - this.#offset;
      if (start >= 0) starts.push(start);
    }
    return starts;
  }
}

/** Numbers that are in both ascending lists. */
function common(a: readonly number[], b: readonly number[]): number[] {
  const both: number[] = [];
  let i = 0;
  for (const value of a) {
    while (i < b.length && b[i]! < value) i++;
    if (b[i] === value) both.push(value);
  }
  return both;
}

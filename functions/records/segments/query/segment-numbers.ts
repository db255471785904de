import type { QueryOf } from '../../query/query.ts';
import { decompress } from '../format/compression.ts';
import type { NumbersMeta } from '../format/meta.ts';
import {
  entriesIn,
  numbersIn,
  ordinalsExtent,
  placesInRange,
  type RangeStretches,
  readOrdinals,
  stretchesOf,
  valuesExtent,
} from '../format/numbers.ts';
import { bitSet, noOrdinals, type OrdinalSet, wordsFor } from '../format/ordinal-set.ts';
import type { OpenSegment } from './open-segment.ts';
import { type Piece, pieceOf, type QueryReads } from './reads.ts';

type NumberRange = QueryOf<'numberRange'>;

/** The number columns of one segment, as one query reads them. */
export class SegmentNumbers {
  readonly #segment: OpenSegment;
  readonly #reads: QueryReads;

  constructor(segment: OpenSegment, reads: QueryReads) {
    this.#segment = segment;
    this.#reads = reads;
  }

  /** Returns whether the field is a column in which no record has two values. */
  isSingle(path: string): boolean {
    return this.#column(path)?.single ?? false;
  }

  /** The number of entries of a field's column. */
  entries(path: string): number {
    return this.#column(path)?.entries ?? 0;
  }

  /** Returns whether most of the column is inside the range, and no record has two values. */
  isLargelyInside(range: NumberRange): boolean {
    const column = this.#column(range.path);
    if (!column?.single) return false;
    const { first, end } = stretchesOf(column, range);
    return (end - first) * 2 > column.firsts.length + 2;
  }

  /** Requests what evaluating one side of the range takes, or counting the entries inside. */
  want(range: NumberRange, purpose: Side | 'count'): void {
    const column = this.#column(range.path);
    if (!column) return;
    const stretches = stretchesOf(column, range);
    for (const stretch of stretchesOn(purpose === 'count' ? 'inside' : purpose, column, stretches)) {
      if (stretches.isEdge(stretch)) this.#reads.want(this.#values(column, stretch));
      if (purpose !== 'count') this.#reads.want(this.#ordinals(column, stretch));
    }
  }

  /** The records with a value on that side. */
  evaluate(range: NumberRange, side: Side): OrdinalSet {
    const column = this.#column(range.path);
    if (!column) return noOrdinals();
    const words = new Uint32Array(wordsFor(this.#segment.meta.records));
    const stretches = stretchesOf(column, range);
    for (const stretch of stretchesOn(side, column, stretches)) {
      const ordinals = readOrdinals(this.#reads.bytes(this.#ordinals(column, stretch)), entriesIn(column, stretch));
      const places = stretches.isEdge(stretch) ? this.#placesInRange(column, stretch, range) : undefined;
      if (places === undefined) addAll(words, ordinals);
      else addAll(words, side === 'inside' ? places.map((place) => ordinals[place]!) : without(ordinals, places));
    }
    return bitSet(words);
  }

  /** The number of entries in the range. */
  count(range: NumberRange): number {
    const column = this.#column(range.path);
    if (!column) return 0;
    let count = 0;
    const { first, end, isEdge } = stretchesOf(column, range);
    for (let stretch = first; stretch < end; stretch++) {
      count += isEdge(stretch) ? this.#placesInRange(column, stretch, range).length : entriesIn(column, stretch);
    }
    return count;
  }

  /** The places of those entries of a stretch that are in the range. */
  #placesInRange(column: NumbersMeta, stretch: number, range: NumberRange): Uint32Array {
    const piece = this.#values(column, stretch);
    const count = entriesIn(column, stretch);
    const bytes = this.#reads.derive(piece.segmentId, `values of ${piece.name}`, () =>
      decompress(this.#reads.bytes(piece), `values of segment ${piece.segmentId}`),
    );
    return placesInRange(numbersIn(bytes, count), range);
  }

  #column(path: string): NumbersMeta | undefined {
    return this.#segment.meta.fields.get(path)?.numbers;
  }

  #values(column: NumbersMeta, stretch: number): Piece {
    const extent = valuesExtent(column, stretch);
    return pieceOf(this.#segment.id, `v${extent.offset}`, extent);
  }

  #ordinals(column: NumbersMeta, stretch: number): Piece {
    const extent = ordinalsExtent(column, stretch);
    return pieceOf(this.#segment.id, `o${extent.offset}`, extent);
  }
}

/** The side of a range that is evaluated: records with a value in it, or records with a value outside. */
type Side = 'inside' | 'outside';

/** The stretches that hold entries on a side; the edges have some on both. */
function* stretchesOn(side: Side, { firsts }: NumbersMeta, { first, end, isEdge }: RangeStretches): Generator<number> {
  for (let stretch = 0; stretch < firsts.length; stretch++) {
    const isInside = stretch >= first && stretch < end;
    if (isEdge(stretch) || isInside === (side === 'inside')) yield stretch;
  }
}

function addAll(words: Uint32Array, ordinals: Uint32Array): void {
  for (const ordinal of ordinals) words[ordinal >>> 5]! |= 1 << (ordinal & 31);
}

/** The ordinals that are not at one of the places. */
function without(ordinals: Uint32Array, places: Uint32Array): Uint32Array {
  let next = 0;
  return ordinals.filter((_, place) => {
    if (places[next] !== place) return true;
    next++;
    return false;
  });
}

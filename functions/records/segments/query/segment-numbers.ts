import type { QueryOf } from '../../query/query.ts';
import { decompress } from '../format/compression.ts';
import type { NumbersMeta } from '../format/meta.ts';
import {
  entriesIn,
  numbersIn,
  ordinalsExtent,
  placesInRange,
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

  /** @param ordinals whether the records are needed; the values at the ends of the range always are. */
  want(range: NumberRange, { ordinals }: { ordinals: boolean }): void {
    const column = this.#column(range.path);
    if (!column) return;
    const { first, end, isEdge } = stretchesOf(column, range);
    for (let stretch = first; stretch < end; stretch++) {
      if (ordinals) this.#reads.want(this.#ordinals(column, stretch));
      if (isEdge(stretch)) this.#reads.want(this.#values(column, stretch));
    }
  }

  evaluate(range: NumberRange): OrdinalSet {
    const column = this.#column(range.path);
    if (!column) return noOrdinals();
    const words = new Uint32Array(wordsFor(this.#segment.meta.records));
    const { first, end, isEdge } = stretchesOf(column, range);
    for (let stretch = first; stretch < end; stretch++) {
      const ordinals = readOrdinals(this.#reads.bytes(this.#ordinals(column, stretch)), entriesIn(column, stretch));
      const places = isEdge(stretch) ? this.#placesInRange(column, stretch, range) : undefined;
      const count = places?.length ?? ordinals.length;
      for (let i = 0; i < count; i++) {
        const ordinal = ordinals[places ? places[i]! : i]!;
        words[ordinal >>> 5]! |= 1 << (ordinal & 31);
      }
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
    const bytes = this.#reads.derived(piece.segmentId, `values of ${piece.name}`, () =>
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

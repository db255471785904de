import type { QueryOf } from '../../query/query.ts';
import type { NumbersMeta } from '../format/meta.ts';
import {
  float64s,
  highStretch,
  lowStretch,
  ordinalsExtent,
  rangeEnd,
  rangeStart,
  type Stretch,
  stretchesIn,
  uint32s,
  valuesExtent,
} from '../format/numbers.ts';
import { addBits, bitSet, listSet, noOrdinals, type OrdinalSet, wordsFor } from '../format/ordinal-set.ts';
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

  /** @param ordinals whether the records are needed; the ends of the range always are. */
  want(range: NumberRange, { ordinals }: { ordinals: boolean }): void {
    const column = this.#column(range.path);
    if (!column) return;
    const low = lowStretch(column, range);
    const high = highStretch(column, range);
    for (const edge of [low, high]) if (edge.end > edge.start) this.#reads.want(this.#values(column, edge));
    if (!ordinals) return;
    for (const part of stretchesIn({ start: low.start, end: high.end }, column))
      this.#reads.want(this.#ordinals(column, part));
  }

  evaluate(range: NumberRange): OrdinalSet {
    const column = this.#column(range.path);
    if (!column) return noOrdinals();
    const { start, end } = this.#entriesIn(column, range);
    const words = new Uint32Array(wordsFor(this.#segment.meta.records));
    for (const part of stretchesIn({ start, end }, column)) {
      const ordinals = uint32s(this.#reads.bytes(this.#ordinals(column, part)));
      addBits(words, listSet(ordinals.subarray(Math.max(0, start - part.start), end - part.start)));
    }
    return bitSet(words);
  }

  /** The number of entries in the range. */
  count(range: NumberRange): number {
    const column = this.#column(range.path);
    if (!column) return 0;
    const { start, end } = this.#entriesIn(column, range);
    return Math.max(0, end - start);
  }

  /** The first entry of the range and the first after it. */
  #entriesIn(column: NumbersMeta, range: NumberRange): Stretch {
    const low = lowStretch(column, range);
    const high = highStretch(column, range);
    const valuesOf = (edge: Stretch) =>
      edge.end > edge.start ? float64s(this.#reads.bytes(this.#values(column, edge))) : new Float64Array(0);
    return { start: rangeStart(valuesOf(low), low, range), end: rangeEnd(valuesOf(high), high, range) };
  }

  #column(path: string): NumbersMeta | undefined {
    return this.#segment.meta.fields.get(path)?.numbers;
  }

  #values(column: NumbersMeta, stretch: Stretch): Piece {
    const extent = valuesExtent(column, stretch);
    return pieceOf(this.#segment.id, `v${extent.offset}`, extent);
  }

  #ordinals(column: NumbersMeta, stretch: Stretch): Piece {
    const extent = ordinalsExtent(column, stretch);
    return pieceOf(this.#segment.id, `o${extent.offset}`, extent);
  }
}

import { pairsOf } from '../format/format.ts';
import { PositionsWriter, VALUE_GAP } from '../format/positions.ts';
import { termBytes } from '../format/term-bytes.ts';
import { type ForwardIndex, TEXT_ENDS, VALUE_ENDS } from './forward-index.ts';
import type { FrequentWord } from './frequent-words.ts';
import { Occurrences } from './occurrences.ts';
import type { SegmentWriter } from './segment-writer.ts';

/**
 * Where two frequent words of a text field follow one another. A phrase of such words is found by its pairs, which are
 * far rarer than the words.
 */
export class FrequentPairs {
  readonly #fields: readonly (readonly FrequentWord[])[];
  /** The number of the first pair of each field. Each two of its words have one, in the order of the pairs. */
  readonly #bases: readonly number[];
  readonly #occurrences: Occurrences;

  /** @param fields the frequent words of each field, in the order of the terms. */
  constructor(index: ForwardIndex, order: Uint32Array, fields: readonly (readonly FrequentWord[])[]) {
    this.#fields = fields;
    const bases: number[] = [];
    let pairs = 0;
    // For each term: its number among the frequent words of its field, from 1, and its first pair.
    const placeOf = new Uint16Array(index.terms);
    const firstPairOf = new Uint32Array(index.terms);
    for (const words of fields) {
      bases.push(pairs);
      for (const [place, { number }] of words.entries()) {
        placeOf[number] = place + 1;
        firstPairOf[number] = pairs + place * words.length;
      }
      pairs += words.length ** 2;
    }
    this.#bases = bases;
    const forEachPair = (visit: (pair: number, ordinal: number, position: number) => void) =>
      forEachNeighbours(index, order, (one, other, ordinal, position) => {
        const place = placeOf[other]!;
        if (place !== 0 && placeOf[one] !== 0) visit(firstPairOf[one]! + place - 1, ordinal, position);
      });
    this.#occurrences = gather(pairs, forEachPair);
  }

  /** Writes the field of the pairs of a text field. */
  async write(field: number, path: string, writer: SegmentWriter): Promise<void> {
    writer.beginField(pairsOf(path), 'text');
    const words = this.#fields[field]!;
    const positions = new PositionsWriter();
    let pair = this.#bases[field]!;
    for (const one of words) {
      for (const other of words) {
        const ordinals = this.#occurrences.withPositions(pair++, positions);
        if (ordinals.length === 0) continue;
        const bytes = termBytes(`${one.word} ${other.word}`);
        writer.addTerm({ bytes, from: 0, to: bytes.length }, ordinals, positions);
        if (writer.full) await writer.drain();
      }
    }
  }
}

/** Goes through all pairs twice: to count them, and to put each in its place. */
function gather(
  pairs: number,
  forEachPair: (visit: (pair: number, ordinal: number, position: number) => void) => void,
): Occurrences {
  const starts = new Uint32Array(pairs + 1);
  forEachPair((pair) => {
    starts[pair + 1]! += 1;
  });
  for (let pair = 0; pair < pairs; pair++) starts[pair + 1]! += starts[pair]!;
  const ends = starts.slice();
  const ordinals = new Uint32Array(starts[pairs]!);
  const positions = new Uint32Array(starts[pairs]!);
  forEachPair((pair, ordinal, position) => {
    const at = ends[pair]!;
    ordinals[at] = ordinal;
    positions[at] = position;
    ends[pair] = at + 1;
  });
  return new Occurrences({ starts, ends, ordinals, positions });
}

/** Calls for any two words of a value that follow one another, record by record, with the position of the first. */
function forEachNeighbours(
  index: ForwardIndex,
  order: Uint32Array,
  visit: (one: number, other: number, ordinal: number, position: number) => void,
): void {
  const { codes } = index;
  for (let ordinal = 0; ordinal < order.length; ordinal++) {
    const record = order[ordinal]!;
    const end = index.startOf(record + 1);
    let inText = false;
    let before = TEXT_ENDS;
    let position = 0;
    for (let i = index.startOf(record); i < end; i++) {
      const code = codes.at(i);
      if (code >= TEXT_ENDS) {
        inText = code !== TEXT_ENDS;
        position = code === VALUE_ENDS ? position + VALUE_GAP : 0;
        before = TEXT_ENDS;
        continue;
      }
      if (!inText) continue;
      if (before !== TEXT_ENDS) visit(before, code, ordinal, position - 1);
      before = code;
      position++;
    }
  }
}

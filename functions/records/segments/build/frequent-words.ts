import { termText } from '../format/term-bytes.ts';
import type { IndexedField } from './forward-index.ts';

/**
 * A word is frequent if it occurs at least once in this many records. Phrases of rarer words are cheap by their
 * positions.
 */
const RECORDS_PER_USE = 2048;

/** The most frequent words of a field, and the most after a merge of many records: ten million pairs are enough. */
const MAX_WORDS = 1024;
const MAX_MERGED_WORDS = 512;
const MANY_RECORDS = 1_000_000;

/** A word with the number of its uses or records. */
interface CountedWord {
  readonly word: string;
  readonly count: number;
}

/** A frequent word, and the number of its term. */
export interface FrequentWord {
  readonly word: string;
  readonly number: number;
}

/** The frequent words of a text field of a segment being built, in the order of the terms. */
export function frequentWordsOf(
  { terms }: IndexedField,
  { places, usesOf, records }: { places: Uint32Array; usesOf: (term: number) => number; records: number },
): FrequentWord[] {
  const frequent: (CountedWord & FrequentWord & { readonly at: number })[] = [];
  for (const [at, place] of places.entries()) {
    const number = terms.numberAt(place);
    const count = usesOf(number);
    if (count * RECORDS_PER_USE < records) continue;
    const { bytes, from, to } = terms.termAt(place);
    frequent.push({ number, count, word: termText(bytes.subarray(from, to)), at });
  }
  return mostFrequent(frequent, MAX_WORDS).sort((one, other) => one.at - other.at);
}

/** The frequent words of a merged field, of those of which all inputs hold all pairs. */
export const mergedFrequentWords = (words: readonly CountedWord[], records: number): ReadonlySet<string> => {
  const chosen = mostFrequent(words, records < MANY_RECORDS ? MAX_WORDS : MAX_MERGED_WORDS);
  return new Set(chosen.map(({ word }) => word));
};

function mostFrequent<Word extends CountedWord>(words: readonly Word[], limit: number): Word[] {
  return words.toSorted((one, other) => other.count - one.count).slice(0, limit);
}

/**
 * Ranks matches by relevance: BM25 without the lengths of fields, which segments do not store. For each word of the query
 * a record scores the word's inverse document frequency, times the weight of the heaviest field that has the word
 * (`weight` in `schemas/`, read by `search/ranking-settings.ts`). The best matches are then reranked by their titles.
 * README, "Relevance", says what the constants were measured with.
 */
import { titleTerm } from '../../query/index-terms.ts';
import type { Query, ScoredQuery } from '../../query/query.ts';
import { titlesOf } from '../format/format.ts';
import {
  hasAny,
  memberTest,
  type OrdinalRange,
  type OrdinalSet,
  ordinalsIn,
  sizeOf,
  union,
} from '../format/ordinal-set.ts';

/** The settings of a record type that ranking uses. */
export interface RankingSettings {
  /** The field that names a record. */
  readonly title: string;
  /** Returns the weight of a word in the field at a path. */
  readonly weightOf: (path: string) => number;
  /** The title in a record's text, as words. */
  readonly titleIn: (text: string) => readonly string[];
}

/** A word, phrase, prefix or wildcard of the query, with every field that it searches. It scores once for a record. */
export interface ScoringTerm {
  /** The field with the highest weight first. */
  readonly parts: readonly { readonly query: ScoredQuery; readonly weight: number }[];
  /** True if it adds to the score, but no record matches because of it. */
  readonly isBonus: boolean;
}

/** The number of best matches that are read and reranked by their titles. */
export const RERANKED_MATCHES = 20;

/** The weight of a title that equals the whole query, added to that of its words. */
const WHOLE_TITLE_WEIGHT = 6;

/** The terms and words of a query that score; negated ones do not. */
export interface Scoring {
  readonly terms: readonly ScoringTerm[];
  readonly words: ReadonlySet<string>;
}

/** Returns the terms that score. A query of filters alone (ranges, `*`) has none. */
export function scoringFor(query: Query, { title, weightOf }: RankingSettings): Scoring {
  const byValue = new Map<string, ScoredQuery[]>();
  for (const one of scoredIn(query)) {
    const value = valueOf(one);
    byValue.set(value, [...(byValue.get(value) ?? []), one]);
  }
  const terms = [...byValue.values()].map((queries): ScoringTerm => {
    const parts = queries.map((one) => ({ query: one, weight: weightOf(one.path) }));
    return { parts: parts.sort((one, other) => other.weight - one.weight), isBonus: false };
  });
  const words = wordsIn(query);
  const term = titleTerm([...words]);
  if (term === undefined) return { terms, words };
  const whole: ScoredQuery = { kind: 'term', path: titlesOf(title), term };
  return { terms: [...terms, { parts: [{ query: whole, weight: WHOLE_TITLE_WEIGHT }], isBonus: true }], words };
}

function scoredIn(query: Query): ScoredQuery[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.of.flatMap(scoredIn);
    case 'term':
    case 'phrase':
    case 'prefix':
    case 'wildcard':
      return [query];
    default:
      return [];
  }
}

const valueOf = ({ path: _, ...value }: ScoredQuery): string => JSON.stringify(value);

/** The different words of the query in their order. */
const wordsIn = (query: Query): ReadonlySet<string> =>
  new Set(
    scoredIn(query).flatMap((one) => {
      if (one.kind === 'term') return [one.term];
      return one.kind === 'phrase' ? one.terms : [];
    }),
  );

/** The matches of one segment, and the query that found them there. */
export interface SegmentMatches {
  readonly query: { readonly records: number; readonly setOf: (query: ScoredQuery) => OrdinalSet };
  readonly matches: OrdinalSet;
}

/** Records of one segment in the order of their ordinals, with their scores. */
type Scored<Result> = Result & { readonly ordinals: Uint32Array; readonly scores: readonly number[] };

/** The best matches of all segments together; of equal ones the first in the order of the index. */
export function topMatches<Result extends SegmentMatches>(
  results: readonly Result[],
  terms: readonly ScoringTerm[],
  limit: number,
): Scored<Result>[] {
  const records = results.reduce((sum, { query }) => sum + query.records, 0);
  const frequencies = terms.map((term) =>
    inverseDocumentFrequency(
      records,
      results.reduce((sum, one) => sum + matchesOf(one, term), 0),
    ),
  );
  const best = new Best(limit);
  for (const [segment, { query, matches }] of results.entries()) {
    const scorers = terms.map((term, i) => scorersOf(term, frequencies[i] ?? 0, query));
    for (let from = 0; from < query.records; from += RANGE) {
      const range = { from, to: Math.min(from + RANGE, query.records) };
      if (best.isFull && highestIn(range, scorers) <= best.lowest) continue;
      const ordinals = ordinalsIn(matches, range);
      const scores = scoresOf(ordinals, scorers);
      for (let n = 0; n < ordinals.length; n++) best.offer(segment, ordinals[n]!, scores[n]!);
    }
  }
  return results.flatMap((result, segment) => {
    const own = best.all.filter((one) => one.segment === segment).sort((a, b) => a.ordinal - b.ordinal);
    if (own.length === 0) return [];
    return [
      { ...result, ordinals: Uint32Array.from(own, ({ ordinal }) => ordinal), scores: own.map(({ score }) => score) },
    ];
  });
}

const matchesOf = ({ query }: SegmentMatches, { parts }: ScoringTerm): number =>
  sizeOf(
    union(
      parts.map((part) => query.setOf(part.query)),
      query.records,
    ),
  );

/** The inverse document frequency of BM25 (Robertson and Zaragoza 2009), as Lucene has it: never below 0. */
const inverseDocumentFrequency = (records: number, matches: number): number =>
  Math.log(1 + (records - matches + 0.5) / (matches + 0.5));

/** The ordinals that are scored together, or skipped because none of them can be among the best. */
const RANGE = 1 << 15;

/** The score of a term in one field. */
interface Scorer {
  readonly set: OrdinalSet;
  readonly has: (ordinal: number) => boolean;
  readonly score: number;
}

/** The fields of a term, the highest score first: the first that has the term counts. */
const scorersOf = ({ parts }: ScoringTerm, rare: number, query: SegmentMatches['query']): readonly Scorer[] =>
  parts.flatMap(({ query: part, weight }) => {
    const set = query.setOf(part);
    return sizeOf(set) === 0 ? [] : [{ set, has: memberTest(set), score: rare * weight }];
  });

/** Returns a score that no record of the range exceeds. Sums are rounded as those of records are. */
function highestIn(range: OrdinalRange, terms: readonly (readonly Scorer[])[]): number {
  let highest = 0;
  for (const scorers of terms) {
    highest = Math.fround(highest + (scorers.find(({ set }) => hasAny(set, range))?.score ?? 0));
  }
  return highest;
}

/** The scores of ordinals. */
function scoresOf(ordinals: Uint32Array, terms: readonly (readonly Scorer[])[]): Float32Array {
  const scores = new Float32Array(ordinals.length);
  if (ordinals.length === 0) return scores;
  for (const scorers of terms) {
    for (let n = 0; n < ordinals.length; n++) {
      for (let i = 0; i < scorers.length; i++) {
        if (!scorers[i]!.has(ordinals[n]!)) continue;
        scores[n]! += scorers[i]!.score;
        break;
      }
    }
  }
  return scores;
}

interface Candidate {
  readonly segment: number;
  readonly ordinal: number;
  readonly score: number;
}

/** Holds the candidates with the highest scores, in order; of equal scores, those that were offered first. */
class Best {
  readonly all: Candidate[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.all.length === this.#limit;
  }

  /** The score of the last one. */
  get lowest(): number {
    return this.all.at(-1)?.score ?? 0;
  }

  offer(segment: number, ordinal: number, score: number): void {
    const { all } = this;
    if (all.length === this.#limit && all[all.length - 1]!.score >= score) return;
    let at = all.length;
    while (at > 0 && all[at - 1]!.score < score) at--;
    all.splice(at, 0, { segment, ordinal, score });
    if (all.length > this.#limit) all.pop();
  }
}

/** The factor by which a title that contains nothing but words of the query raises a score. */
const TITLE_BOOST_MAX = 0.3;

/**
 * Reranks the candidates: a score grows with the share of the title's words that are in the query.
 * @param texts of all candidates, in their order
 */
export function rerankedTexts(
  candidates: readonly Scored<unknown>[],
  texts: readonly string[],
  { titleIn, words }: Pick<RankingSettings, 'titleIn'> & Pick<Scoring, 'words'>,
): string[] {
  const scores = candidates.flatMap((one) => one.scores);
  const ranked = texts.map((text, i) => {
    const title = titleIn(text);
    const share = title.length === 0 ? 0 : title.filter((word) => words.has(word)).length / title.length;
    return { text, score: (scores[i] ?? 0) * (1 + TITLE_BOOST_MAX * share) };
  });
  return ranked.sort((one, other) => other.score - one.score).map(({ text }) => text);
}

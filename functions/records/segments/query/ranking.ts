/**
 * Ranks matches by BM25 without the lengths of fields, which no segment holds: a word counts by how rare it is, in the
 * field of the record where it weighs most. The best candidates are then compared by their texts.
 */
import { titleTerm } from '../../query/index-terms.ts';
import type { Query, ScoredQuery } from '../../query/query.ts';
import { titlesOf } from '../format/format.ts';
import { difference, type OrdinalSet, ordinalsOf, sizeOf, union } from '../format/ordinal-set.ts';

/** The rules by which the records of a type are ranked. */
export interface Ranking {
  /** The field that names a record. */
  readonly title: string;
  /** Returns the weight of a word in the field at a path. */
  readonly weightOf: (path: string) => number;
  /** The title in a record's text, as words. */
  readonly titleIn: (text: string) => readonly string[];
}

/** A word of the query or the like, in all the fields in which it is looked for. It counts once for a record. */
export interface Unit {
  /** The most weighty field first. */
  readonly parts: readonly { readonly query: ScoredQuery; readonly weight: number }[];
  /** True if it only counts, and no record matches by it. */
  readonly isBeside: boolean;
}

/** The number of best matches that are compared by their texts. */
export const CANDIDATES = 20;

/** The weight of a title that is the whole query, beside its words. */
const WHOLE_TITLE = 6;

/** The units and words of a query that count; negated ones do not. */
export interface Scoring {
  readonly units: readonly Unit[];
  readonly words: ReadonlySet<string>;
}

/** Returns nothing to count for a query of filters alone. */
export function scoringOf(query: Query, { title, weightOf }: Ranking): Scoring {
  const byValue = new Map<string, ScoredQuery[]>();
  for (const one of scoredIn(query)) {
    const value = valueOf(one);
    byValue.set(value, [...(byValue.get(value) ?? []), one]);
  }
  const units = [...byValue.values()].map((queries): Unit => {
    const parts = queries.map((one) => ({ query: one, weight: weightOf(one.path) }));
    return { parts: parts.sort((one, other) => other.weight - one.weight), isBeside: false };
  });
  const words = wordsIn(query);
  const term = titleTerm([...words]);
  if (term === undefined) return { units, words };
  const whole: ScoredQuery = { kind: 'term', path: titlesOf(title), term };
  return { units: [...units, { parts: [{ query: whole, weight: WHOLE_TITLE }], isBeside: true }], words };
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
export function bestOf<Result extends SegmentMatches>(
  results: readonly Result[],
  units: readonly Unit[],
  limit: number,
): Scored<Result>[] {
  const records = results.reduce((sum, { query }) => sum + query.records, 0);
  const rarities = units.map((unit) =>
    rarity(
      records,
      results.reduce((sum, one) => sum + matchesOf(one, unit), 0),
    ),
  );
  const best = new Best(limit);
  for (const [segment, { query, matches }] of results.entries()) {
    const scores = new Float32Array(query.records);
    for (const [i, unit] of units.entries()) addUnit(scores, unit, rarities[i] ?? 0, query);
    for (const ordinal of ordinalsOf(matches)) best.offer({ segment, ordinal, score: scores[ordinal]! });
  }
  return results.flatMap((result, segment) => {
    const own = best.all.filter((one) => one.segment === segment).sort((a, b) => a.ordinal - b.ordinal);
    if (own.length === 0) return [];
    return [
      { ...result, ordinals: Uint32Array.from(own, ({ ordinal }) => ordinal), scores: own.map(({ score }) => score) },
    ];
  });
}

const matchesOf = ({ query }: SegmentMatches, { parts }: Unit): number =>
  sizeOf(
    union(
      parts.map((part) => query.setOf(part.query)),
      query.records,
    ),
  );

/** The inverse document frequency of BM25 (Robertson and Zaragoza 2009), as Lucene has it: never below 0. */
const rarity = (records: number, matches: number): number => Math.log(1 + (records - matches + 0.5) / (matches + 0.5));

/** Adds what a unit counts, for each record in the field where it weighs most. */
function addUnit(scores: Float32Array, { parts }: Unit, rare: number, query: SegmentMatches['query']): void {
  let counted: OrdinalSet | undefined;
  for (const { query: part, weight } of parts) {
    const set = query.setOf(part);
    for (const ordinal of ordinalsOf(counted ? difference(set, counted) : set)) scores[ordinal]! += rare * weight;
    counted = counted ? union([counted, set], query.records) : set;
  }
}

interface Candidate {
  readonly segment: number;
  readonly ordinal: number;
  readonly score: number;
}

/** The best of what is offered, in order; of equal ones those that were offered first. */
class Best {
  readonly all: Candidate[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(candidate: Candidate): void {
    const { all } = this;
    if (all.length === this.#limit && all[all.length - 1]!.score >= candidate.score) return;
    let at = all.length;
    while (at > 0 && all[at - 1]!.score < candidate.score) at--;
    all.splice(at, 0, candidate);
    if (all.length > this.#limit) all.pop();
  }
}

/** The share of its score that the best possible title adds to a candidate. */
const TITLE_SHARE = 0.3;

/**
 * Orders the texts of candidates by score, and by how much of their titles the words of the query make up.
 * @param texts of all candidates, in their order
 */
export function rankedTexts(
  candidates: readonly Scored<unknown>[],
  texts: readonly string[],
  { titleIn, words }: Pick<Ranking, 'titleIn'> & Pick<Scoring, 'words'>,
): string[] {
  const scores = candidates.flatMap((one) => one.scores);
  const ranked = texts.map((text, i) => {
    const title = titleIn(text);
    const share = title.length === 0 ? 0 : title.filter((word) => words.has(word)).length / title.length;
    return { text, score: (scores[i] ?? 0) * (1 + TITLE_SHARE * share) };
  });
  return ranked.sort((one, other) => other.score - one.score).map(({ text }) => text);
}

import type { Query } from '../../../functions/records/query/query.ts';
import { CATEGORIES, CITIES, Random, WORDS } from './generated-businesses.ts';

/** A query in the forms that the engines of the comparison take. Fields are paths of the business schema. */
export type BenchQuery = TextQuery | RangeQuery;

export type TextQuery =
  | { readonly kind: 'term' | 'prefix'; readonly field: string; readonly text: string }
  | { readonly kind: 'phrase'; readonly field: string; readonly words: readonly string[] }
  | { readonly kind: 'and' | 'or'; readonly of: readonly TextQuery[] }
  | { readonly kind: 'butNot'; readonly base: TextQuery; readonly unwanted: TextQuery };

interface RangeQuery {
  readonly kind: 'range';
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

export const QUERY_CLASSES = ['term', 'AND', 'OR', 'phrase', 'prefix', 'range', 'NOT'] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];

const QUERIES_PER_CLASS = 60;

/** Queries of one class, from those that match nearly everything to those that match next to nothing. */
export function queriesOf(queryClass: QueryClass): BenchQuery[] {
  return Array.from({ length: QUERIES_PER_CLASS }, (_, i) => {
    const random = new Random(i * 31 + QUERY_CLASSES.indexOf(queryClass));
    return queryOf(queryClass, i / (QUERIES_PER_CLASS - 1), random);
  });
}

/** @param rarity from 0, for the most frequent values, to 1. */
function queryOf(queryClass: QueryClass, rarity: number, random: Random): BenchQuery {
  const parts = () => [term(random, rarity), term(random, rarity * random.next()), term(random, random.next() * 0.3)];
  switch (queryClass) {
    case 'term':
      return term(random, rarity);
    case 'AND':
      return { kind: 'and', of: parts() };
    case 'OR':
      return { kind: 'or', of: parts() };
    case 'phrase':
      return phrase(random, rarity);
    case 'prefix': {
      const { field, text } = term(random, 0.3 + rarity * 0.7);
      return { kind: 'prefix', field, text: text.slice(0, 1 + Math.ceil(rarity * 4)) };
    }
    case 'range':
      return range(random, rarity);
    default:
      return { kind: 'butNot', base: term(random, rarity), unwanted: term(random, random.next() * 0.5) };
  }
}

function term(random: Random, rarity: number): { kind: 'term'; field: string; text: string } {
  const of = (items: readonly string[]) => items[Math.floor((items.length - 1) ** rarity)]!.toLowerCase();
  const choices = [
    () => ({ field: 'country', text: rarity < 0.5 ? 'us' : 'mx' }),
    () => ({ field: 'city', text: of(CITIES) }),
    () => ({ field: 'name', text: of(WORDS) }),
    () => ({ field: 'descriptions.value', text: of(WORDS) }),
    () => ({ field: 'descriptions.value', text: of(WORDS) }),
    () => ({ field: 'reviews.text', text: of(WORDS) }),
    () => ({ field: 'categories', text: of(CATEGORIES).split(' ')[0]! }),
  ];
  return { kind: 'term', ...random.pick(choices)() };
}

function phrase(random: Random, rarity: number): BenchQuery {
  const word = () => WORDS[Math.floor(WORDS.length ** (rarity * random.next() * 0.8)) - 1]!;
  const field = random.chance(0.8) ? 'descriptions.value' : 'name';
  return { kind: 'phrase', field, words: Array.from({ length: rarity < 0.2 ? 3 : 2 }, word) };
}

function range(random: Random, rarity: number): BenchQuery {
  const share = 0.5 ** (rarity * 10);
  const [field, low, high] = random.pick([
    ['latitude', 33, 45],
    ['longitude', -113, -83],
    ['dateAdded', 1.42e12, 1.67e12],
    ['numRoom', 1, 400],
    ['priceRangeMin', 5, 305],
  ] as const);
  const from = low + (high - low) * random.next() * (1 - share);
  return { kind: 'range', field, from, to: from + (high - low) * share };
}

/** The query as the segments take it. */
export function boundQuery(query: BenchQuery): Query {
  switch (query.kind) {
    case 'term':
      return { kind: 'term', path: query.field, term: query.text };
    case 'prefix':
      return { kind: 'prefix', path: query.field, prefix: query.text };
    case 'phrase':
      return { kind: 'phrase', path: query.field, terms: query.words };
    case 'range':
      return {
        kind: 'numberRange',
        path: query.field,
        from: query.from,
        fromInclusive: true,
        to: query.to,
        toInclusive: true,
      };
    case 'and':
    case 'or':
      return { kind: query.kind, of: query.of.map(boundQuery) };
    default:
      return { kind: 'and', of: [boundQuery(query.base), { kind: 'not', of: boundQuery(query.unwanted) }] };
  }
}

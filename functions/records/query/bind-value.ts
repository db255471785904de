import { numberOf } from '#shared/formats/number-text';
import type { LeafPath } from '../schemas/schemas.ts';
import { NONE } from './algebra.ts';
import type { Bound, Value } from './ast.ts';
import { type DateInterval, dateInterval, keywordTerm, words } from './index-terms.ts';
import type { GlobPart, Query, TermBound } from './query.ts';

/** The field that a value is looked for in. */
export type Leaf = Pick<LeafPath, 'path' | 'kind'>;

type LeafValue = Exclude<Value, { kind: 'expression' | 'any' }>;
type Range = Extract<Value, { kind: 'range' }>;
type Wildcard = Extract<Value, { kind: 'wildcard' }>;

/** The query for the value in this field, or a message why there is none. */
export function bindValue(leaf: Leaf, value: LeafValue): Query | string {
  switch (leaf.kind) {
    case 'text':
    case 'keyword':
      return bindTerms(leaf, value);
    case 'boolean':
      return bindBoolean(leaf, value);
    default:
      return bindInterval(leaf, value);
  }
}

function bindTerms(leaf: Leaf, value: LeafValue): Query {
  switch (value.kind) {
    case 'word':
    case 'quoted':
      return leaf.kind === 'text' ? phrase(leaf.path, words(value.text)) : keyword(leaf.path, value.text);
    case 'wildcard':
      return wildcard(leaf, value);
    default:
      return termRange(leaf.path, value);
  }
}

/** A text without any word, such as `--`, matches nothing. */
function phrase(path: string, terms: readonly string[]): Query {
  const [term] = terms;
  if (term === undefined) return NONE;
  return terms.length === 1 ? { kind: 'term', path, term } : { kind: 'phrase', path, terms };
}

function keyword(path: string, text: string): Query {
  return text === '' ? NONE : { kind: 'term', path, term: keywordTerm(text) };
}

/**
 * A wildcard stands for terms, and the terms of a text field are single words. So `o'bri*` finds nothing in one: split
 * into `o` and `bri*` it would also find texts where the two are far apart.
 */
function wildcard({ path, kind }: Leaf, { parts }: Wildcard): Query {
  const pattern: GlobPart[] = [];
  for (const part of parts) {
    if ('any' in part) {
      pattern.push(part);
      continue;
    }
    const literal = keywordTerm(part.literal);
    if (kind === 'text' && words(literal)[0] !== literal) return NONE;
    pattern.push({ literal });
  }
  const [head, tail] = pattern;
  const isPrefix = pattern.length === 2 && head !== undefined && 'literal' in head && tail !== undefined;
  return isPrefix && 'any' in tail && tail.any === 'run'
    ? { kind: 'prefix', path, prefix: head.literal }
    : { kind: 'wildcard', path, pattern };
}

/** Bounds are lower-cased whole, also those of text fields: a word contains no space, but a bound may. */
function termRange(path: string, { from, to }: Range): Query {
  if (from === undefined && to === undefined) return { kind: 'exists', path };
  const lower = termBound(from);
  const upper = termBound(to);
  if (lower !== undefined && upper !== undefined) {
    if (lower.term > upper.term) return NONE;
    if (lower.term === upper.term && !(lower.inclusive && upper.inclusive)) return NONE;
  }
  return {
    kind: 'termRange',
    path,
    ...(lower !== undefined && { from: lower }),
    ...(upper !== undefined && { to: upper }),
  };
}

function termBound(bound: Bound | undefined): TermBound | undefined {
  return bound === undefined ? undefined : { term: keywordTerm(bound.text), inclusive: bound.inclusive };
}

function bindBoolean({ path }: Leaf, value: LeafValue): Query | string {
  if (value.kind === 'word' || value.kind === 'quoted') {
    const term = keywordTerm(value.text);
    if (term === 'true' || term === 'false') return { kind: 'term', path, term };
  }
  return `${path} must be true or false`;
}

/** Numbers and dates: a value is an interval, of a single point for a number. */
function bindInterval(leaf: Leaf, value: LeafValue): Query | string {
  switch (value.kind) {
    case 'word':
    case 'quoted': {
      const interval = intervalOf(leaf, value.text);
      return typeof interval === 'string' ? interval : numberRange(leaf.path, closed(interval));
    }
    case 'wildcard':
      return `${leaf.path} does not support wildcards`;
    default:
      return intervalRange(leaf, value);
  }
}

interface Limits {
  readonly from: number;
  readonly fromInclusive: boolean;
  readonly to: number;
  readonly toInclusive: boolean;
}

function closed({ from, to }: DateInterval): Limits {
  return { from, fromInclusive: true, to, toInclusive: true };
}

/** An inclusive bound includes the whole of its interval, an exclusive one excludes the whole of it. */
function intervalRange(leaf: Leaf, { from, to }: Range): Query | string {
  if (from === undefined && to === undefined) return { kind: 'exists', path: leaf.path };
  const lower = from === undefined ? EVER : intervalOf(leaf, from.text);
  if (typeof lower === 'string') return lower;
  const upper = to === undefined ? EVER : intervalOf(leaf, to.text);
  if (typeof upper === 'string') return upper;
  const fromInclusive = from?.inclusive ?? true;
  const toInclusive = to?.inclusive ?? true;
  return numberRange(leaf.path, {
    from: fromInclusive ? lower.from : lower.to,
    fromInclusive,
    to: toInclusive ? upper.to : upper.from,
    toInclusive,
  });
}

const EVER: DateInterval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function numberRange(path: string, limits: Limits): Query {
  const { from, fromInclusive, to, toInclusive } = limits;
  const isEmpty = from > to || (from === to && !(fromInclusive && toInclusive));
  return isEmpty ? NONE : { kind: 'numberRange', path, ...limits };
}

/** The longest piece of a value that a message repeats. */
const SHOWN = 40;

function intervalOf({ path, kind }: Leaf, text: string): DateInterval | string {
  if (kind === 'date')
    return dateInterval(text) ?? `${path} must be a date such as 2020-03-04, not "${text.slice(0, SHOWN)}"`;
  const value = numberOf(text);
  return value === undefined ? `${path} must be a number, not "${text.slice(0, SHOWN)}"` : { from: value, to: value };
}

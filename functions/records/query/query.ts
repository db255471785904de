/**
 * A query bound to a schema: every path exists, every value is normalised for its kind. The search runs this form;
 * nothing of the user's syntax remains. Paths are `name` or `prices.amountMin`; terms are compared by UTF-16 code
 * units.
 */
export type Query =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  /** A term of the field: one word of a text field, or the whole lower-cased value of a keyword or boolean field. */
  | { readonly kind: 'term'; readonly path: string; readonly term: string }
  /** Two words or more, next to each other within one element of a text field. */
  | { readonly kind: 'phrase'; readonly path: string; readonly terms: readonly string[] }
  | { readonly kind: 'prefix'; readonly path: string; readonly prefix: string }
  /** `*` any run, `?` any one code point; literal parts are normalised. Expands to at most `MAX_EXPANSIONS` terms. */
  | { readonly kind: 'wildcard'; readonly path: string; readonly pattern: readonly GlobPart[] }
  | { readonly kind: 'termRange'; readonly path: string; readonly from?: TermBound; readonly to?: TermBound }
  /** Numbers as they are, dates as milliseconds since the epoch. Open ends are infinite. */
  | {
      readonly kind: 'numberRange';
      readonly path: string;
      readonly from: number;
      readonly fromInclusive: boolean;
      readonly to: number;
      readonly toInclusive: boolean;
    }
  /** The field, or any sub-field of an object field, has a value. */
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'and'; readonly of: readonly Query[] }
  | { readonly kind: 'or'; readonly of: readonly Query[] }
  | { readonly kind: 'not'; readonly of: Query };

/** Queries of this kind. */
export type QueryOf<Kind extends Query['kind']> = Extract<Query, { kind: Kind }>;

/** Queries for words and the like: how rare they are says how much a match is worth. Others only filter. */
export type ScoredQuery = QueryOf<'term' | 'phrase' | 'prefix' | 'wildcard'>;

export interface TermBound {
  readonly term: string;
  readonly inclusive: boolean;
}

export type GlobPart = { readonly literal: string } | { readonly any: 'one' | 'run' };

/** The most terms that a wildcard other than a plain prefix may stand for. */
export const MAX_EXPANSIONS = 1024;

/**
 * A wildcard matches more terms than allowed, which is known only when the index is read. The message is for the
 * caller.
 */
export class TooManyTerms extends Error {
  override readonly name = 'TooManyTerms';

  constructor() {
    super(`invalid query: a wildcard matches more than ${MAX_EXPANSIONS} terms`);
  }
}

import type { GlobPart } from './query.ts';

/** A query as it was written: nothing is known yet about fields and kinds. Every `at` is an offset into the text. */
export interface Level {
  /** One at least, in the order of the text. */
  readonly groups: readonly Group[];
}

/** Clauses joined by AND; mostly just one. */
export interface Group {
  readonly clauses: readonly Clause[];
  /** An OR is written before or behind it. It makes an operand of a lone clause with NOT. */
  readonly besideOr: boolean;
}

export interface Clause {
  /** `+`, `-`, or NOT, which may also be written as `!`. */
  readonly mark?: '+' | '-' | 'not';
  /** Without one the clause takes the field of the group around it, or else the default fields. */
  readonly field?: FieldName;
  readonly value: Value;
}

interface FieldName {
  /** A path, `*`, or `_exists_`. */
  readonly name: string;
  readonly at: number;
}

export type Value =
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  /** A lone `*`. */
  | { readonly kind: 'any'; readonly at: number }
  /** `text` is how it was written. Nothing but a literal follows a run. */
  | { readonly kind: 'wildcard'; readonly parts: readonly GlobPart[]; readonly text: string; readonly at: number }
  | { readonly kind: 'quoted'; readonly text: string; readonly at: number }
  /** Also a comparison, which is a range with one bound. An absent bound is open. */
  | { readonly kind: 'range'; readonly from?: Bound; readonly to?: Bound; readonly at: number }
  | { readonly kind: 'level'; readonly level: Level };

export interface Bound {
  readonly text: string;
  readonly inclusive: boolean;
}

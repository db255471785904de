import type { GlobPart } from './query.ts';

/** A query, or a part in parentheses, before fields and kinds are resolved. Every `at` is an offset into the text. */
export interface Expression {
  /** At least one, in the order of the text. */
  readonly groups: readonly Group[];
}

/** Clauses joined by AND; mostly just one. */
export interface Group {
  readonly clauses: readonly Clause[];
  /** True if an OR is written before or after it, which makes a lone clause with NOT an operand. */
  readonly besideOr: boolean;
}

export interface Clause {
  /** `+`, `-`, or NOT, which may also be written as `!`. */
  readonly modifier?: '+' | '-' | 'not';
  /** The field; without one, the clause applies to the field of the group around it, or else to the default fields. */
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
  /** `text` is the source text. Only a literal may follow a run. */
  | { readonly kind: 'wildcard'; readonly parts: readonly GlobPart[]; readonly text: string; readonly at: number }
  | { readonly kind: 'quoted'; readonly text: string; readonly at: number }
  /** A range; a comparison is a range with one bound. An absent bound is open. */
  | { readonly kind: 'range'; readonly from?: Bound; readonly to?: Bound; readonly at: number }
  | { readonly kind: 'expression'; readonly expression: Expression };

export interface Bound {
  readonly text: string;
  readonly inclusive: boolean;
}

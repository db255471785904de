/** Queries of Logs Insights, as far as the runbook has them. */

export type Operand = string | number;

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'compare'; readonly field: string; readonly comparison: Comparison; readonly operand: Operand }
  | { readonly kind: 'in'; readonly field: string; readonly operands: readonly Operand[] }
  | { readonly kind: 'like'; readonly field: string; readonly pattern: RegExp };

export type Aggregation =
  | { readonly kind: 'count'; readonly label: string }
  | { readonly kind: 'sum'; readonly field: string; readonly label: string }
  | { readonly kind: 'pct'; readonly field: string; readonly percent: number; readonly label: string };

export type Grouping =
  | { readonly kind: 'field'; readonly label: string }
  | { readonly kind: 'bin'; readonly millis: number; readonly label: string };

export interface SortKey {
  readonly field: string;
  readonly isDescending: boolean;
}

export type Command =
  | { readonly kind: 'fields'; readonly fields: readonly string[] }
  | { readonly kind: 'filter'; readonly condition: Condition }
  | { readonly kind: 'stats'; readonly aggregations: readonly Aggregation[]; readonly by: readonly Grouping[] }
  | { readonly kind: 'sort'; readonly keys: readonly SortKey[] }
  | { readonly kind: 'limit'; readonly count: number };

export type Query = readonly Command[];

import type { LinePosition } from './lines.ts';

/** What one line (one row, one element) of a file requests. */
export type Outcome<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'deletion'; readonly id: string }
  | { readonly kind: 'rejected'; readonly reason: string };

/** A line of a file and where the next one begins, or why no more can be read. */
export type Entry<Item> = Located<Item> | { readonly kind: 'unreadable'; readonly reason: string };

type Located<Item> = { readonly line: number; readonly end: LinePosition } & (
  | Outcome<Item>
  /** The header of a CSV file. */
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'blank' }
);

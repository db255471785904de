import type { LinePosition } from './lines.ts';

/** The result of one line, row or element of a file. */
export type Outcome<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'deletion'; readonly id: string }
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      readonly source?: Source;
    };

/** A rejected line as the file has it: its text, or the cells of a CSV row. */
export type Source = { readonly text: string } | { readonly cells: readonly string[] };

/** A line of a file with the position of the next one, or the reason why reading ends. */
export type Entry<Item> = Located<Item> | { readonly kind: 'unreadable'; readonly reason: string };

type Located<Item> = { readonly line: number; readonly end: LinePosition } & (
  | Outcome<Item>
  /** The header of a CSV file. */
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'blank' }
);

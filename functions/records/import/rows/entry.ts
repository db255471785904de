import type { DataRecord } from '../../schemas/schema.ts';
import type { LinePosition } from './lines.ts';

/** What one line (one row) of a file requests, and where the next one begins. */
export type Entry = { readonly line: number; readonly end: LinePosition } & (
  | { readonly kind: 'record'; readonly record: DataRecord }
  | { readonly kind: 'deletion'; readonly id: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The header of a CSV file. */
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'blank' }
);

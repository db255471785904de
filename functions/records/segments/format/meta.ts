import type { ValueKind } from '../../schemas/schema.ts';
import type { Extent } from './format.ts';
import { compareBytes, type TermSpan } from './term-bytes.ts';

/** The facts of a segment that are known before its data object is read. */
export interface SegmentMeta {
  /** Records, deleted ones included. */
  readonly records: number;
  /** Bytes of the data object. */
  readonly bytes: number;
  readonly recordBlocks: RecordBlocks;
  readonly termBlocks: TermBlocks;
  readonly fields: ReadonlyMap<string, FieldMeta>;
  /** Roughly the memory that this takes. */
  readonly byteLength: number;
}

/** Block n holds the records from `firsts[n]` on and lies at `offsets[n]`; both end with one entry more. */
export interface RecordBlocks {
  readonly firsts: Uint32Array;
  readonly offsets: Float64Array;
}

/** The dictionary blocks of all fields, in order. */
export interface TermBlocks {
  readonly count: number;
  /** Blocks that lie together, with their postings and positions. */
  readonly groups: readonly TermGroup[];
  /** The first term of block n or a shorter start of it that is after the last term of block n - 1. */
  separator(block: number): Uint8Array;
  dictionary(block: number): Extent;
  postings(block: number): Extent;
  positions(block: number): Extent;
}

export interface TermGroup extends Extent {
  readonly firstBlock: number;
  readonly endBlock: number;
}

export interface FieldMeta {
  readonly kind: ValueKind | 'object';
  /** The field's dictionary blocks: from `firstBlock` up to `endBlock`. */
  readonly firstBlock: number;
  readonly endBlock: number;
  readonly numbers?: NumbersMeta;
  readonly exists?: ExistsMeta;
}

/** A number column. */
export interface NumbersMeta {
  readonly offset: number;
  readonly entries: number;
  /** No record has two values. */
  readonly single: boolean;
  /** Every 1,024th value, including the first. */
  readonly sparse: Float64Array;
}

/** The set of records that have a value. */
export interface ExistsMeta extends Extent {
  readonly count: number;
}

/** Meta as a writer collects it. */
export interface MetaDraft {
  readonly records: number;
  readonly bytes: number;
  /** The number of records and bytes of every record block. The blocks are at the start of the data object. */
  readonly recordBlocks: readonly { readonly records: number; readonly length: number }[];
  readonly groups: readonly { readonly blocks: number; readonly offset: number }[];
  readonly termBlocks: readonly {
    readonly separator: Uint8Array;
    readonly dictionary: number;
    readonly postings: number;
    readonly positions: number;
  }[];
  readonly fields: readonly (FieldMeta & { readonly path: string })[];
}

/** The first and the end of the field's blocks that may hold terms of the span. */
export function blocksOfSpan(blocks: TermBlocks, field: FieldMeta, span: TermSpan): { first: number; end: number } {
  const after = (term: Uint8Array): number => {
    let low = field.firstBlock;
    let high = field.endBlock;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(blocks.separator(middle), term) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const first = Math.max(after(span.from) - 1, field.firstBlock);
  let end = field.endBlock;
  if (span.before !== undefined) {
    end = after(span.before);
    // A block that begins with `before` itself has nothing before it.
    while (end > first && compareBytes(blocks.separator(end - 1), span.before) === 0) end--;
  }
  return { first, end: Math.max(first, end) };
}

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
  readonly groups: TermGroups;
  readonly fields: ReadonlyMap<string, FieldMeta>;
  /** Roughly the memory that this takes. */
  readonly byteLength: number;
}

/** Block n holds the records from `firsts[n]` on and lies at `offsets[n]`; both end with one entry more. */
export interface RecordBlocks {
  readonly firsts: Uint32Array;
  readonly offsets: Float64Array;
}

/** Things in the order of terms, each of which begins with a term that is known. */
export interface Separators {
  /** The first term of the nth thing or a shorter start of it that is after the last term of the thing before. */
  separator(n: number): Uint8Array;
}

/** The term groups of all fields, in order. */
export interface TermGroups extends Separators {
  readonly count: number;
  /** The dictionary blocks with their table; the postings follow. */
  dictionary(group: number): Extent;
  postings(group: number): Extent;
  positions(group: number): Extent;
}

export interface FieldMeta {
  readonly kind: ValueKind | 'object';
  /** The field's term groups: from `firstGroup` up to `endGroup`. */
  readonly firstGroup: number;
  readonly endGroup: number;
  readonly numbers?: NumbersMeta;
  readonly exists?: ExistsMeta;
  /** The words of a text field of which the field of pairs holds all pairs. */
  readonly frequentWords?: ReadonlySet<string>;
}

/** A number column. */
export interface NumbersMeta {
  readonly entries: number;
  /** No record has two values. */
  readonly single: boolean;
  /** The first value of each stretch. */
  readonly firsts: Float64Array;
  /** The offset of the ordinals of each stretch, and the end of the last; likewise of the values. */
  readonly ordinals: Float64Array;
  readonly values: Float64Array;
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
  readonly recordBlocks: readonly {
    readonly records: number;
    readonly length: number;
  }[];
  readonly groups: readonly GroupDraft[];
  readonly fields: readonly (FieldMeta & { readonly path: string })[];
}

export interface GroupDraft {
  readonly separator: Uint8Array;
  readonly dictionary: number;
  readonly postings: number;
  readonly positions: Extent;
  /** The offset of the dictionary. */
  readonly offset: number;
}

/** The first and the end of those things from `first` up to `end` that may hold terms of the span. */
export function partOfSpan(
  separators: Separators,
  all: { readonly first: number; readonly end: number },
  span: TermSpan,
): { first: number; end: number } {
  const after = (term: Uint8Array): number => {
    let low = all.first;
    let high = all.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(separators.separator(middle), term) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const first = Math.max(after(span.from) - 1, all.first);
  let end = all.end;
  if (span.before !== undefined) {
    end = after(span.before);
    // What begins with `before` itself has nothing before it.
    while (end > first && compareBytes(separators.separator(end - 1), span.before) === 0) end--;
  }
  return { first, end: Math.max(first, end) };
}

export const groupsOfSpan = (groups: TermGroups, { firstGroup, endGroup }: FieldMeta, span: TermSpan) =>
  partOfSpan(groups, { first: firstGroup, end: endGroup }, span);

import type { Query } from '../../query/query.ts';

/** One immutable state of the index of a record type. Whoever holds it sees the same records, whatever is imported. */
export interface Manifest {
  readonly version: number;
  readonly segments: readonly SegmentRef[];
}

/** A segment and what must be known to read it. Order of segments, then order inside, is the order of results. */
export interface SegmentRef {
  readonly id: string;
  /** Records in the segment, deleted ones included. */
  readonly records: number;
  /** Bytes of the data object. */
  readonly bytes: number;
  /** Bytes of the meta object: read whole, first. */
  readonly metaBytes: number;
  /** Id of the bitmap of records that a later segment replaced or deleted. */
  readonly tombstones?: { readonly id: string; readonly deleted: number };
}

/** Some matches in their order, as lines of JSON, each with its line end. */
export interface RecordLines {
  readonly bytes: Uint8Array;
  readonly records: number;
}

/** Matches number `from`, counted from 0, to before `to`. */
interface MatchRange {
  readonly from: number;
  readonly to: number;
}

/** Finds records. A second engine (OpenSearch Serverless) can stand behind the same interface. */
export interface SearchEngine {
  /** The exact count and the first `limit` matching records, each as the JSON text that was indexed. */
  preview(query: Query, limit: number, pin: Manifest): Promise<{ total: number; records: string[] }>;
  /**
   * How many records match in each segment of the pin, exactly. Undefined once `goesOn`, asked every few segments,
   * has said no.
   */
  counts(query: Query, pin: Manifest, goesOn?: () => boolean): Promise<number[] | undefined>;
  /** A run of the matches; `counts` are those of the same query and pin. Holds some thousand records at a time. */
  lines(query: Query, pin: Manifest, counts: readonly number[], range: MatchRange): AsyncIterable<RecordLines>;
}

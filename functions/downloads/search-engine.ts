import type { Query } from './query/query.ts';

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

/** Finds records. A second engine (OpenSearch Serverless) can stand behind the same interface. */
export interface SearchEngine {
  /** How many records match, exactly. */
  count(query: Query, pin: Manifest): Promise<number>;
  /** The exact count and the first `limit` matching records, each as the JSON text that was indexed. */
  preview(query: Query, limit: number, pin: Manifest): Promise<{ total: number; records: string[] }>;
}

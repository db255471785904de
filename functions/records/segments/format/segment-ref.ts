/** A segment and the facts needed to read it. Order of segments, then order inside, is the order of results. */
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

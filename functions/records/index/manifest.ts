import type { RecordType } from '../schemas/schema.ts';
import type { SegmentRef } from '../segments/format/segment-ref.ts';

/** An immutable state of the index of a record type: all who read it see the same records, whatever is imported. */
export interface Manifest {
  readonly version: number;
  readonly segments: readonly SegmentRef[];
  /** @default nothing was written */
  readonly written?: WrittenRecords;
}

/** The number of records that were written since the index was empty. */
export interface WrittenRecords {
  readonly byImports: number;
  readonly byMerges: number;
}

export const NOTHING_WRITTEN: WrittenRecords = { byImports: 0, byMerges: 0 };

/** A download reads by the manifest it began with for as long as its results exist, and a day more. */
export const SEGMENTS_READABLE_DAYS = 8;

/** The row of a replaced manifest outlives its segments: the sweep reads from the rows which segments to keep. */
export const MANIFEST_RETENTION_DAYS = SEGMENTS_READABLE_DAYS + 1;

/**
 * The next state of the index of one type; valid only while `base` is the current one.
 * @typeParam Step what is written in the same transaction: a step of the work that the change comes from.
 */
export interface ManifestChange<Step> {
  readonly type: RecordType;
  readonly base: Manifest;
  readonly segments: readonly SegmentRef[];
  readonly written: WrittenRecords;
  readonly now: number;
  /** Written in one transaction with the change. */
  readonly step?: Step;
}

/** `index-moved`: read the manifest again and try again. `step-moved`: another worker made this step already. */
type CommitOutcome = 'committed' | 'index-moved' | 'step-moved';

export interface Manifests<Step = never> {
  current(type: RecordType): Promise<Manifest>;
  /** A manifest that is or was the current one; undefined when it was replaced more than `MANIFEST_RETENTION_DAYS` ago. */
  pinned(type: RecordType, version: number): Promise<Manifest | undefined>;
  commit(change: ManifestChange<Step>): Promise<CommitOutcome>;
  /** Every manifest that was current at `since` or later. */
  readableSince(type: RecordType, since: number): Promise<readonly Manifest[]>;
}

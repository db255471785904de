import type { JobStep } from '../import/import-job.ts';
import type { RecordType } from '../schemas/schema.ts';
import type { Manifest, SegmentRef } from '../segments/format/segment-ref.ts';

/** The next state of the index of one type, for whom `base` is the current one. */
export interface IndexChange {
  readonly type: RecordType;
  readonly base: Manifest;
  readonly segments: readonly SegmentRef[];
  readonly now: Date;
  /** A step of an import that is made together with the change, or neither is. */
  readonly job?: JobStep;
}

/** `index-moved`: read the manifest again and try again. `job-moved`: somebody else made this step already. */
type CommitOutcome = 'committed' | 'index-moved' | 'job-moved';

export interface IndexStore {
  current(type: RecordType): Promise<Manifest>;
  /** A manifest that is or was the current one; undefined when it was replaced more than 8 days ago. */
  pinned(type: RecordType, version: number): Promise<Manifest | undefined>;
  commit(change: IndexChange): Promise<CommitOutcome>;
  /** Every manifest that was current at `since` or later. */
  readableSince(type: RecordType, since: Date): Promise<readonly Manifest[]>;
}

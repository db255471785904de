import type { ImportJob } from './import-job.ts';
import type { PartOutcome } from './part.ts';
import type { PartClaim } from './part-claim.ts';

/** A part that was read before its turn. It becomes visible after the parts before it. */
export type WaitingPart =
  | {
      readonly outcome: PartOutcome;
      /** The key of the report, if lines were rejected. */
      readonly report?: string | undefined;
      /** The reference to what the domain has stored; undefined if the part has no content. */
      readonly content?: unknown;
    }
  /** The reason why the file cannot be read from there on. */
  | { readonly unreadable: string };

/** Keeps parts that wait for their turn, and which parts were handed to other workers. */
export interface WaitingParts {
  /** Stores a part, unless it is there already. */
  put(job: ImportJob, claim: PartClaim, part: WaitingPart, now: number): Promise<void>;
  /**
   * The part with this number and start; undefined if no worker has finished it ahead of its turn in the last days: what
   * was stored for it may be swept later.
   */
  get(job: ImportJob, claim: PartClaim, now: number): Promise<WaitingPart | undefined>;
  /** Records that a message with this claim was sent. */
  noteSent(job: ImportJob, claim: PartClaim): Promise<void>;
  /** True if such a message was sent since the import was started or last woken. */
  wasSent(job: ImportJob, claim: PartClaim): Promise<boolean>;
}

/** Lets several workers import one file. */
export interface ParallelImport {
  /** The most parts of a file that are read at the same time, or wait for those before them. */
  readonly workers: number;
  readonly waiting: WaitingParts;
  /** Hands a part to another worker. */
  readonly send: (job: ImportJob, claim: PartClaim) => Promise<void>;
}

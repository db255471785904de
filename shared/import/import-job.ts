import { createHash } from 'node:crypto';
import { isoTime } from '#shared/formats/timestamp';
import type { LinePosition } from './rows/lines.ts';

/** An object in the import bucket. One put is one import, however often it is announced. */
export interface ImportedObject {
  readonly key: string;
  readonly etag: string;
  /** The sequencer orders the puts of one key. */
  readonly sequencer: string;
  readonly bytes: number;
}

interface ImportCounts {
  /** The number of accepted items, new or replacing. */
  readonly accepted: number;
  readonly deleted: number;
  readonly rejected: number;
}

/**
 * The state of an import. It advances part by part, once per part and only after the part is stored, however many
 * workers have handled it.
 */
export interface ImportJob {
  readonly id: string;
  readonly object: ImportedObject;
  /** The type of the imported items. */
  readonly type: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  /** The number of stored parts. */
  readonly parts: number;
  /** The position of the next part in the uncompressed file. */
  readonly checkpoint: LinePosition;
  /** The column names of a CSV file, after its header was read. */
  readonly columns?: readonly string[];
  readonly counts: ImportCounts;
  /** The keys of the reports, in the order of lines. */
  readonly reports: readonly string[];
  /** The reason of a failure, written for people. Present if the status is FAILED. */
  readonly error?: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** The number of wake-ups since the last progress, and the time of the last one. */
  readonly wakeUps?: number;
  readonly wokenAt?: string;
}

/** The progress within the part that is being read. */
interface ImportProgress {
  readonly bytesRead: number;
  readonly lines: number;
}

/** A step of an import. It is made only if the import is still in the state `before`. */
export interface JobStep {
  readonly before: ImportJob;
  readonly after: ImportJob;
}

export interface ImportJobs {
  /** Starts the import of an object, or finds the one that was already started. */
  begin(job: ImportJob): Promise<ImportJob>;
  /** Reads the import again. */
  reread(job: ImportJob): Promise<ImportJob>;
  /** Makes a step; false if the import has advanced in the meantime. */
  advance(step: JobStep): Promise<boolean>;
  /** Iterates over running imports. The index is eventually consistent. */
  running(): AsyncIterable<ImportJob>;
  /** Records that an import was woken; false if it has advanced. */
  recordWake(job: ImportJob, now: number): Promise<boolean>;
  /** Stores the reading progress, if the import still runs. */
  progress(job: ImportJob, progress: ImportProgress, now: number): Promise<void>;
}

/** A digest of 20 URL-safe characters, the same for the same put. */
function importIdOf({ key, etag, sequencer }: ImportedObject): string {
  return createHash('sha256').update(`${key}\n${etag}\n${sequencer}`).digest().subarray(0, 15).toString('base64url');
}

export function newImportJob(object: ImportedObject, type: string, now: number): ImportJob {
  const at = isoTime(now);
  return {
    id: importIdOf(object),
    object,
    type,
    status: 'RUNNING',
    parts: 0,
    checkpoint: { byte: 0, line: 0 },
    counts: { accepted: 0, deleted: 0, rejected: 0 },
    reports: [],
    startedAt: at,
    updatedAt: at,
  };
}

import { createHash } from 'node:crypto';
import { isoTime } from '#shared/timestamp';
import type { LinePosition } from './rows/lines.ts';

/** An object that was put into the import bucket. The same put is the same import, however often it is announced. */
export interface ImportedObject {
  readonly key: string;
  readonly etag: string;
  /** Orders the puts of one key. */
  readonly sequencer: string;
  readonly bytes: number;
}

interface ImportCounts {
  /** Accepted items, new or in place of an older one. */
  readonly accepted: number;
  readonly deleted: number;
  readonly rejected: number;
}

/**
 * How far an import has come. It advances part by part, never before the part is stored, and each part once, however
 * many workers worked on it and however often.
 */
export interface ImportJob {
  readonly id: string;
  readonly object: ImportedObject;
  /** What is imported. */
  readonly type: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  /** Parts that are stored. */
  readonly parts: number;
  /** Where the next part begins, in the uncompressed file. */
  readonly checkpoint: LinePosition;
  /** The column names of a CSV file, once read. */
  readonly columns?: readonly string[];
  readonly counts: ImportCounts;
  /** Report objects, in order of lines. */
  readonly reports: readonly string[];
  /** Set when FAILED: the reason, written for a person. */
  readonly error?: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** How often it has been woken since it last moved on, and when. */
  readonly wakings?: number;
  readonly wokenAt?: string;
}

/** The progress that a person can watch while a part is being read. */
interface ImportProgress {
  readonly bytesRead: number;
  readonly lines: number;
}

/** One step of an import: made only if the import is still in the state `before`. */
export interface JobStep {
  readonly before: ImportJob;
  readonly after: ImportJob;
}

export interface ImportJobs {
  /** Begins the import of an object, or finds the one that began already. */
  begin(job: ImportJob): Promise<ImportJob>;
  /** The import as it is now. */
  reread(job: ImportJob): Promise<ImportJob>;
  /** Makes a step by itself; false if the import moved on meanwhile. */
  advance(step: JobStep): Promise<boolean>;
  /** Those that have not ended. Read from an index that follows the table within moments. */
  running(): AsyncIterable<ImportJob>;
  /** Records that a silent one was woken; false if it has moved on. */
  noteWaking(job: ImportJob, now: number): Promise<boolean>;
  /** Reports how far the reading has come, if the import still runs. */
  progress(job: ImportJob, progress: ImportProgress, now: number): Promise<void>;
}

/** 20 URL-safe characters, always the same for the same put. */
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

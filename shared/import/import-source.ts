import type { GzipMember } from './gzip-members.ts';
import type { ImportedObject, ImportJob } from './import-job.ts';
import type { LinePosition } from './rows/lines.ts';

/** A stream of the uncompressed bytes of an imported file. */
export interface OpenImport {
  readonly chunks: AsyncIterable<Uint8Array>;
  /**
   * The number of object bytes that were read up to this position of the file; for gzip, the number of fetched bytes.
   */
  readonly bytesRead: (position: LinePosition) => number;
}

/** A stream of the uncompressed bytes of a file of which several workers read parts. */
export interface DividedImport {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The members of a gzip file that the stream has begun so far; undefined for other files. */
  readonly members?: readonly GzipMember[];
}

/** The end of the key of an import map, after the key of its object. */
export const MAP_SUFFIX = '.map.json';

/** The key prefix of reports. There is a report per part with rejected lines. */
export const REPORTS = 'reports/';

/**
 * The key of the next part's report. It is the same whenever the part is read again, and names its start, in case that a
 * worker has divided the file otherwise.
 */
export const reportKey = ({ id, parts, checkpoint }: Pick<ImportJob, 'id' | 'parts' | 'checkpoint'>) =>
  `${REPORTS}${id}/${String(parts + 1).padStart(6, '0')}-${checkpoint.byte}.ndjson`;

const REPORT = new RegExp(`^${REPORTS}[\\w-]{20}/\\d{6,}-\\d+\\.ndjson$`);

/** True for keys of `reportKey`. The bucket announces reports too. */
export const isReport = (key: string): boolean => REPORT.test(key);

/** Reads imported objects and writes reports. */
export interface ImportFiles {
  /** Reads the uncompressed file from this position. */
  open(object: ImportedObject, from: LinePosition): Promise<OpenImport>;
  /**
   * Reads the uncompressed file from this position too, to find where other workers may begin. Undefined if they would
   * have to read all of it before.
   */
  openToDivide(object: ImportedObject, from: LinePosition): Promise<DividedImport | undefined>;
  /** The import map beside the object, under its key with `.map.json`; undefined if there is none. */
  importMap(object: ImportedObject): Promise<string | undefined>;
  putReport(key: string, lines: readonly string[]): Promise<void>;
}

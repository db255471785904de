import type { ImportedObject, ImportJob } from './import-job.ts';
import type { LinePosition } from './rows/lines.ts';

/** The uncompressed bytes of an imported file. */
export interface OpenImport {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How much of the object was read to come to this position of the file; for gzip, how much has been fetched. */
  readonly bytesRead: (position: LinePosition) => number;
}

/** The prefix of reports: one object for each part that rejected lines. */
export const REPORTS = 'reports/';

/** The report of the next part; the same part always has the same one. */
export const reportKey = ({ id, parts }: ImportJob) => `${REPORTS}${id}/${String(parts + 1).padStart(6, '0')}.ndjson`;

const REPORT = new RegExp(`^${REPORTS}[\\w-]{20}/\\d{6,}\\.ndjson$`);

/** Whether the key is one of `reportKey`: the bucket announces reports like everything that is put into it. */
export const isReport = (key: string): boolean => REPORT.test(key);

/** Reads imported objects and writes reports. */
export interface ImportFiles {
  /** Reads from this byte of the uncompressed file. */
  open(object: ImportedObject, fromByte: number): Promise<OpenImport>;
  /** The import map beside the object: its key and `.map.json`. Undefined when there is none. */
  columnMap(object: ImportedObject): Promise<string | undefined>;
  putReport(key: string, lines: readonly string[]): Promise<void>;
}

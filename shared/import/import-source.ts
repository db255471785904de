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

/** The end of the key of an import map, after the key of its object. */
export const MAP_SUFFIX = '.map.json';

/** The key prefix of reports. There is a report per part with rejected lines. */
export const REPORTS = 'reports/';

/** The key of the next part's report. It is the same whenever the part is read again. */
export const reportKey = ({ id, parts }: ImportJob) => `${REPORTS}${id}/${String(parts + 1).padStart(6, '0')}.ndjson`;

const REPORT = new RegExp(`^${REPORTS}[\\w-]{20}/\\d{6,}\\.ndjson$`);

/** True for keys of `reportKey`. The bucket announces reports too. */
export const isReport = (key: string): boolean => REPORT.test(key);

/** Reads imported objects and writes reports. */
export interface ImportFiles {
  /** Reads the uncompressed file from this byte. */
  open(object: ImportedObject, fromByte: number): Promise<OpenImport>;
  /** The import map beside the object, under its key with `.map.json`; undefined if there is none. */
  importMap(object: ImportedObject): Promise<string | undefined>;
  putReport(key: string, lines: readonly string[]): Promise<void>;
}

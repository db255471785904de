import type { ImportedObject } from './import-job.ts';

/** The uncompressed bytes of an imported file, and how much of the object has been fetched for them. */
export interface OpenImport {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytesRead: () => number;
}

/** The prefix of reports: one object for each part that rejected lines. */
export const REPORTS = 'reports/';

/** Reads imported objects and writes reports. */
export interface ImportFiles {
  /** Reads from this byte of the uncompressed file. */
  open(object: ImportedObject, fromByte: number): Promise<OpenImport>;
  /** The import map beside the object: its key and `.map.json`. Undefined when there is none. */
  columnMap(object: ImportedObject): Promise<string | undefined>;
  putReport(key: string, lines: readonly string[]): Promise<void>;
}

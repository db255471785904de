import type { ImportedObject } from './import-job.ts';

/** The uncompressed bytes of an imported file, and how much of the object has been fetched for them. */
export interface OpenImport {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytesRead: () => number;
}

/** Keys of reports begin so: one object for each part that rejected lines. */
export const REPORTS = 'reports/';

/** Where imported objects are read from, and reports are put. */
export interface ImportFiles {
  /** From a byte of the uncompressed file on. */
  open(object: ImportedObject, fromByte: number): Promise<OpenImport>;
  /** The import map beside the object: its key and `.map.json`. Undefined when there is none. */
  columnMap(object: ImportedObject): Promise<string | undefined>;
  putReport(key: string, lines: readonly string[]): Promise<void>;
}

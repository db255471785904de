import type { FileDivision } from './divide-file.ts';
import type { ImportJob, ImportJobs } from './import-job.ts';
import type { ImportFiles } from './import-source.ts';
import type { PartContent } from './part.ts';
import type { Entry } from './rows/entry.ts';
import type { ParallelImport } from './waiting-part.ts';

/** Defines how a domain reads an import from files and stores it. */
export interface ImportedKind<Item> {
  /**
   * Reads the entries of the file from the import's checkpoint.
   * @param map the text of the import map, if there is one
   */
  entriesOf(chunks: AsyncIterable<Uint8Array>, from: { job: ImportJob; map?: string }): AsyncGenerator<Entry<Item>>;
  newPart(job: ImportJob): PartContent<Item>;
  /** A part ends after this many rejected lines. */
  readonly maxRejections: number;
  /** Present if several workers can import one file. */
  readonly division?: FileDivision;
}

export interface ImportDeps<Item> {
  readonly jobs: ImportJobs;
  readonly files: ImportFiles;
  readonly kind: ImportedKind<Item>;
  readonly now: () => number;
  /** @default each file is imported by one worker */
  readonly parallel?: ParallelImport;
}

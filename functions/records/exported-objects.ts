import type { ExportSubject } from '#shared/export/export-items';
import { DOWNLOADS } from './table-keys.ts';

/** The prefixes of a tenant's result files: the folder of each data token that has paid for a download. */
export const resultFolders = (_: ExportSubject, partitions: ReadonlySet<string>): string[] =>
  [...partitions].filter((pk) => pk.startsWith(DOWNLOADS)).map((pk) => `${pk.slice(DOWNLOADS.length)}/`);

import type { ExportSubject } from '#shared/export/export-items';
import { REPORTS } from '#shared/import/import-source';
import { IMPORT_ENTRY } from '#shared/import/table-keys';

/** The prefix of a tenant's imported files. */
export const importFolder = (tenant: string): string => `${tenant}/`;

/** The prefixes of the reports of the imports among these partitions. */
export const reportFolders = (partitions: Iterable<string>): string[] =>
  [...partitions]
    .filter((pk) => pk.startsWith(IMPORT_ENTRY))
    .map((pk) => `${REPORTS}${pk.slice(IMPORT_ENTRY.length)}/`);

/** The prefixes of a tenant's imported files and their reports. They concern places, not customers. */
export function importFolders({ tenant, customer }: ExportSubject, partitions: ReadonlySet<string>): string[] {
  return customer === undefined ? [importFolder(tenant), ...reportFolders(partitions)] : [];
}

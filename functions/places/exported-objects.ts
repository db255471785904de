import type { ExportSubject } from '#shared/export/export-items';
import { REPORTS } from '#shared/import/import-source';
import { IMPORT_ENTRY } from '#shared/import/table-keys';

/** The prefixes of a tenant's imported files and their reports. They concern places, not customers. */
export function importFolders({ tenant, customer }: ExportSubject, partitions: ReadonlySet<string>): string[] {
  if (customer !== undefined) return [];
  const imports = [...partitions].filter((pk) => pk.startsWith(IMPORT_ENTRY));
  return [`${tenant}/`, ...imports.map((pk) => `${REPORTS}${pk.slice(IMPORT_ENTRY.length)}/`)];
}

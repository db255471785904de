import type { ExportSubject } from '#shared/export/export-items';
import { VALIDATION } from './table-keys.ts';
import { STORED, UPLOADS, validationFolders } from './validations/picture-keys.ts';

/** Returns the prefixes of all pictures of a tenant, or of the pictures of one customer's validations. */
export function pictureFolders(
  { tenant, customer }: ExportSubject,
  partitions: ReadonlySet<string>,
): readonly string[] {
  if (customer === undefined) return [STORED, UPLOADS].map((prefix) => `${prefix}${tenant}/`);
  const own = `${VALIDATION}${tenant}#`;
  const ids = [...partitions].filter((pk) => pk.startsWith(own)).map((pk) => pk.slice(own.length));
  return ids.flatMap((id) => validationFolders({ tenant, id }));
}

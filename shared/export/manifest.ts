import * as z from 'zod';

/** A file of an export. */
const ExportedFile = z.object({
  path: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** Items in it, one a line; absent of an object from a bucket. */
  items: z.int().optional(),
});
export type ExportedFile = z.output<typeof ExportedFile>;

/** The files that the export of one domain has written, and what it left out. */
export const DomainManifest = z.object({
  files: z.array(ExportedFile),
  leftOut: z.array(z.object({ what: z.string(), why: z.string() })),
});
export type DomainManifest = z.output<typeof DomainManifest>;

import * as z from 'zod/mini';

export const Import = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  key: z.string(),
  status: z.string(),
  /** The reason for a failure. */
  error: z.optional(z.string()),
  lines: z.number(),
  imported: z.number(),
  deleted: z.number(),
  rejected: z.number(),
  bytes: z.number(),
  bytesDone: z.number(),
  startedAt: z.string(),
  updatedAt: z.string(),
  completedAt: z.optional(z.string()),
});
export type Import = z.output<typeof Import>;

export const ImportPage = z.object({ items: z.array(Import), nextCursor: z.optional(z.string()) });
export type ImportPage = z.output<typeof ImportPage>;

export const ImportMap = z.object({
  columns: z.optional(z.record(z.string(), z.union([z.string(), z.null(), z.array(z.string())]))),
  constants: z.optional(z.record(z.string(), z.unknown())),
});
export type ImportMap = z.output<typeof ImportMap>;

/** A rejected line as the file has it: its text, or the cells of a CSV row; neither if it is very long. */
const source = {
  text: z.optional(z.string()),
  cells: z.optional(z.array(z.string())),
};
const Rejection = z.object({ line: z.number(), reason: z.string(), ...source });
export type Rejection = z.output<typeof Rejection>;

export const ImportDetails = z.extend(Import, {
  /** The columns of a CSV file. */
  columns: z.optional(z.array(z.string())),
  map: z.optional(ImportMap),
  /** A page of rejected lines. */
  rejections: z.array(Rejection),
  /** Links to reports of all rejected lines, valid for minutes. */
  rejectionsUrls: z.optional(z.array(z.string())),
});
export type ImportDetails = z.output<typeof ImportDetails>;

export const ImportUpload = z.object({
  key: z.string(),
  uploadId: z.string(),
  partBytes: z.number(),
  links: z.array(z.object({ part: z.number(), url: z.string() })),
});
export type ImportUpload = z.output<typeof ImportUpload>;

export const UploadedFile = z.object({ key: z.string() });

const PreviewColumn = z.object({
  name: z.string(),
  suggestion: z.nullable(z.string()),
});
export type PreviewColumn = z.output<typeof PreviewColumn>;

const PreviewRow = z.object({
  line: z.number(),
  item: z.optional(z.record(z.string(), z.unknown())),
  deletedId: z.optional(z.string()),
  reason: z.optional(z.string()),
  ...source,
});
export type PreviewRow = z.output<typeof PreviewRow>;

export const ImportPreview = z.object({
  columns: z.array(PreviewColumn),
  fields: z.array(z.string()),
  rows: z.array(PreviewRow),
  /** The names in the map that no field has, and what is wrong with each. */
  unknownFields: z.optional(z.record(z.string(), z.string())),
  /** Why the file cannot be used. */
  fault: z.optional(z.string()),
});
export type ImportPreview = z.output<typeof ImportPreview>;

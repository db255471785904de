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

const Rejection = z.object({ line: z.number(), reason: z.string() });
export type Rejection = z.output<typeof Rejection>;

export const ImportDetails = z.extend(Import, {
  /** The first rejected lines. */
  rejections: z.array(Rejection),
  /** Links to reports of all rejected lines, valid for minutes. */
  rejectionsUrls: z.optional(z.array(z.string())),
});
export type ImportDetails = z.output<typeof ImportDetails>;

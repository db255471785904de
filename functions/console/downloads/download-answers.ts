import * as z from 'zod/mini';
import { ResultRecord } from '../search/search-answers.ts';

/** A bulk download, as the management API lists it. */
export const Download = z.object({
  id: z.number(),
  type: z.string(),
  query: z.string(),
  view: z.string(),
  format: z.string(),
  status: z.string(),
  /** The reason why not all records were delivered; empty if they were. */
  error: z.string(),
  found: z.number(),
  requested: z.number(),
  downloaded: z.number(),
  credits: z.number(),
  tokenId: z.string(),
  startedAt: z.string(),
  progressedAt: z.string(),
  completedAt: z.optional(z.string()),
});
export type Download = z.output<typeof Download>;

export const DownloadPage = z.object({ items: z.array(Download), nextCursor: z.optional(z.string()) });

export const DownloadFile = z.object({
  number: z.number(),
  records: z.number(),
  bytes: z.optional(z.number()),
  expiresAt: z.string(),
});
export type DownloadFile = z.output<typeof DownloadFile>;

export const DownloadDetails = z.extend(Download, {
  files: z.array(DownloadFile),
  moreFilesAfter: z.optional(z.number()),
});
export type DownloadDetails = z.output<typeof DownloadDetails>;

export const DownloadId = z.object({ id: z.number() });

export const FileLink = z.object({ url: z.string() });

/** Some records of a file. */
export const FileRecords = z.object({ items: z.array(ResultRecord), nextCursor: z.optional(z.string()) });

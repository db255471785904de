/** Schemas of imports, as `presentImport` and the reports show them. */
import * as z from 'zod/mini';
import { named, Time } from '#shared/http/answer-schemas';

const members = {
  id: z.string(),
  type: z.string(),
  name: z.string(),
  key: z.string(),
  status: z.enum(['RUNNING', 'COMPLETED', 'FAILED']),
  error: z.optional(z.string()),
  lines: z.int(),
  imported: z.int(),
  deleted: z.int(),
  rejected: z.int(),
  bytes: z.int(),
  bytesDone: z.int(),
  startedAt: Time,
  updatedAt: Time,
  completedAt: z.optional(Time),
};

export const Import = named('Import', z.object(members), 'An import of one file.');

const Rejection = named(
  'Rejection',
  z.object({ line: z.int(), reason: z.string() }),
  'A line of the file that was not imported.',
);

export const ImportReport = named(
  'ImportReport',
  z.object({
    ...members,
    rejections: z.array(Rejection),
    rejectionsUrls: z.optional(z.array(z.string())),
  }),
  'An import with its first rejected lines, and links to all of them that are valid for five minutes.',
);

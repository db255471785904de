/** Schemas of imports, as `presentImport` and the reports show them. */
import * as z from 'zod/mini';
import { named, Time } from '#shared/http/answer-schemas';
import { ImportMapView } from './uploads/upload-schemas.ts';

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
  z.object({
    line: z.int(),
    reason: z.string(),
    text: z.optional(z.string()),
    cells: z.optional(z.array(z.string())),
  }),
  'A line of the file that was not imported: its text, or the cells of a CSV row, unless it is very long.',
);

export const ImportReport = named(
  'ImportReport',
  z.object({
    ...members,
    columns: z.optional(z.array(z.string())),
    map: z.optional(ImportMapView),
    rejections: z.array(Rejection),
    rejectionsUrls: z.optional(z.array(z.string())),
  }),
  'An import with 100 of its rejected lines, the columns of its CSV file and its import map. The links to all rejected lines are valid for five minutes.',
);

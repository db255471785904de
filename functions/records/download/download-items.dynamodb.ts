import * as z from 'zod/mini';
import { CSV_FORMULAS } from '#shared/formats/csv-formulas';
import type { Key } from '#shared/table/table.dynamodb';
import type { Change } from '#shared/table/writes.dynamodb';
import { RECORD_TYPES } from '../schemas/schema.ts';
import { DOWNLOADS, REQUEST } from '../table-keys.ts';
import { orderOf } from './download-request.ts';
import type { DownloadKey } from './downloads.ts';

export const RequestItem = z.object({
  id: z.int(),
  tokenId: z.string(),
  tenant: z.string(),
  planId: z.string(),
  type: z.enum(RECORD_TYPES),
  query: z.string(),
  view: z.string(),
  format: z.enum(['json', 'csv']),
  csvFormulas: z.enum(CSV_FORMULAS),
  records: z.string(),
  status: z.enum(['STARTED', 'COMPLETED']),
  error: z.string(),
  numFound: z.int(),
  numRequested: z.int(),
  numDownloaded: z.int(),
  filesDone: z.int(),
  startedAt: z.string(),
  progressedAt: z.string(),
  completedAt: z.optional(z.string()),
  wakeUps: z.optional(z.int()),
  wokenAt: z.optional(z.string()),
});

export const PlanItem = z.object({ version: z.int(), counts: z.optional(z.array(z.int())) });

export const FileItem = z.object({
  file: z.int(),
  records: z.int(),
  bytes: z.int(),
  createdAt: z.string(),
});

/**
 * A request shares a partition with the other requests of its token. Its plan and files are keyed by its id alone,
 * which guarantees that the id is unique.
 */
export const requestKey = ({ tokenId, id }: DownloadKey): Key => ({
  pk: `${DOWNLOADS}${tokenId}`,
  sk: `REQUEST#${padded(orderOf({ id }), 16)}`,
});
export const planKey = ({ id }: Pick<DownloadKey, 'id'>): Key => ({ pk: `${REQUEST}${id}`, sk: 'PLAN' });
export const fileKey = ({ id }: Pick<DownloadKey, 'id'>, file: number): Key => ({
  pk: `${REQUEST}${id}`,
  sk: `FILE#${padded(file, 5)}`,
});
const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

/** A change of a request that has not ended. */
export const whileStarted = ({ change, condition, values }: Change): Change => ({
  change,
  condition: `#status = :started${condition === undefined ? '' : ` AND ${condition}`}`,
  values: { started: 'STARTED', ...values },
});

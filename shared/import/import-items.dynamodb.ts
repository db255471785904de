import * as z from 'zod';
import type { Item, Key } from '#shared/table/table.dynamodb';
import type { ImportedObject, ImportJob } from './import-job.ts';
import { Position } from './part-claim.ts';
import { IMPORT, IMPORT_ENTRY, IMPORTS } from './table-keys.ts';

/** Imports are kept for this long. */
const RETENTION_DAYS = 90;

export const importKey = ({ key, sequencer, etag }: Omit<ImportedObject, 'bytes'>): Key => ({
  pk: `${IMPORT}${key}`,
  sk: `${sequencer}#${etag}`,
});

const JobItem = z.object({
  id: z.string(),
  object: z.object({ key: z.string(), etag: z.string(), sequencer: z.string(), bytes: z.number() }),
  type: z.string(),
  status: z.enum(['RUNNING', 'COMPLETED', 'FAILED']),
  parts: z.number().int(),
  checkpoint: Position,
  columns: z.array(z.string()).optional(),
  counts: z.object({ accepted: z.number(), deleted: z.number(), rejected: z.number() }),
  reports: z.array(z.string()),
  error: z.string().optional(),
  startedAt: z.string(),
  updatedAt: z.string(),
  wakeUps: z.number().int().optional(),
  wokenAt: z.string().optional(),
});

const WatchedItem = JobItem.extend({
  progress: z.object({ bytesRead: z.number(), lines: z.number() }).optional(),
});
/** An import with the progress of its reading. */
export type WatchedJob = z.output<typeof WatchedItem>;

export const jobIn = (item: Item): ImportJob => JobItem.parse(item);
export const watchedJobIn = (item: Item): WatchedJob => WatchedItem.parse(item);
export const expiry = (at: string) => Math.floor(Date.parse(at) / 1000) + RETENTION_DAYS * 86_400;

/** The owner of imports without a tenant. No tenant's id looks like this. */
export const ALL_TENANTS = '*';

export const Entry = z.object({
  id: z.string(),
  owner: z.string(),
  object: z.object({ key: z.string(), etag: z.string(), sequencer: z.string() }),
});

export const entryKey = (id: string): Key => ({ pk: `${IMPORT_ENTRY}${id}`, sk: 'IMPORT_ENTRY' });
export const listOf = (owner: string) => `${IMPORTS}${owner}`;

/** The item that leads from an owner and an id to an import. It never changes, although the import does. */
export function entryOf({ id, object: { key, etag, sequencer } }: ImportJob, owner: string): Item & Key {
  return { ...entryKey(id), id, owner, object: { key, etag, sequencer }, list: listOf(owner) };
}

import { QueryCommand, TransactionConflictException, type Update, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import {
  getItem,
  type Item,
  type Key,
  listItems,
  marshalled,
  putNewItem,
  type Table,
  whenAllowed,
} from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import type { ImportedObject, ImportJob, ImportJobs, JobStep } from './import-job.ts';
import { IMPORT, RUNNING_IMPORTS } from './table-keys.ts';

/** Finished imports are kept for this long. */
const KEPT_DAYS = 90;

const keyOf = ({ key, sequencer, etag }: ImportedObject): Key => ({
  pk: `${IMPORT}${key}`,
  sk: `${sequencer}#${etag}`,
});

const JobItem = z.object({
  id: z.string(),
  object: z.object({ key: z.string(), etag: z.string(), sequencer: z.string(), bytes: z.number() }),
  type: z.string(),
  status: z.enum(['RUNNING', 'COMPLETED', 'FAILED']),
  parts: z.number().int(),
  checkpoint: z.object({ byte: z.number(), line: z.number(), elements: z.number().optional() }),
  columns: z.array(z.string()).optional(),
  counts: z.object({ accepted: z.number(), deleted: z.number(), rejected: z.number() }),
  reports: z.array(z.string()),
  error: z.string().optional(),
  startedAt: z.string(),
  updatedAt: z.string(),
  wakings: z.number().int().optional(),
  wokenAt: z.string().optional(),
});

const WatchedItem = JobItem.extend({
  progress: z.object({ bytesRead: z.number(), lines: z.number() }).optional(),
});
/** A job with the progress of its reading. */
export type WatchedJob = z.output<typeof WatchedItem>;

const jobIn = (item: Item): ImportJob => JobItem.parse(item);
const expiry = (at: string) => Math.floor(Date.parse(at) / 1000) + KEPT_DAYS * 86_400;

export const importStore = (table: Table): ImportJobs => ({
  begin: (job) => begin(table, job),
  reread: (job) => reread(table, job),
  advance: (step) => advance(table, step),
  progress: (job, progress, now) => noteProgress(table, job, { progress, now }),
  running: () => running(table),
  noteWaking: (job, now) => noteWaking(table, job, now),
});

async function begin(table: Table, job: ImportJob): Promise<ImportJob> {
  const key = keyOf(job.object);
  const listing = { list: RUNNING_IMPORTS, position: `${job.startedAt}#${job.id}` };
  if (await putNewItem(table, { ...key, ...job, ...listing, ttl: expiry(job.startedAt) })) return job;
  return reread(table, job);
}

async function reread(table: Table, job: ImportJob): Promise<ImportJob> {
  const item = await getItem(table, keyOf(job.object));
  if (!item) throw new Error(`Import ${job.id} is gone.`);
  return jobIn(item);
}

async function advance(table: Table, step: JobStep): Promise<boolean> {
  try {
    return (await whenAllowed(table.client.send(new UpdateItemCommand(jobUpdate(table.name, step))))).done;
  } catch (error) {
    if (error instanceof TransactionConflictException) return false;
    throw error;
  }
}

async function noteProgress(
  table: Table,
  job: ImportJob,
  { progress, now }: { progress: Parameters<ImportJobs['progress']>[1]; now: number },
): Promise<void> {
  await whenAllowed(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshalled(keyOf(job.object)),
        UpdateExpression: 'SET progress = :progress, updatedAt = :now',
        ConditionExpression: '#status = :running AND parts = :parts',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: marshalled({
          ':progress': progress,
          ':now': isoTime(now),
          ':running': 'RUNNING',
          ':parts': job.parts,
        }),
      }),
    ),
  );
}

async function* running(table: Table): AsyncGenerator<ImportJob> {
  let cursor: string | undefined;
  do {
    const page = await listItems(table, RUNNING_IMPORTS, { limit: 100, ...(cursor !== undefined && { cursor }) });
    for (const item of page.items) yield jobIn(item);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function noteWaking(
  table: Table,
  { object, parts, updatedAt, wakings = 0 }: ImportJob,
  now: number,
): Promise<boolean> {
  const write = whenAllowed(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshalled(keyOf(object)),
        UpdateExpression: 'SET wakings = :wakings, wokenAt = :now',
        ConditionExpression:
          '#status = :running AND parts = :parts AND updatedAt = :seen AND (attribute_not_exists(wakings) OR wakings = :before)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: marshalled({
          ':wakings': wakings + 1,
          ':before': wakings,
          ':now': isoTime(now),
          ':running': 'RUNNING',
          ':parts': parts,
          ':seen': updatedAt,
        }),
      }),
    ),
  );
  return (await write).done;
}

/** The write of one step, alone or in a transaction with what the part changes. */
export function jobUpdate(table: string, { before, after }: JobStep): Update & { UpdateExpression: string } {
  const { id: _id, object: _object, type: _type, startedAt: _startedAt, wakings: _, wokenAt: __, ...changing } = after;
  const fields = Object.entries(changing).filter(([, value]) => value !== undefined);
  // An ended import leaves the list of running ones; one that moves on is no longer silent.
  const removed = ['wakings', 'wokenAt', ...(after.status === 'RUNNING' ? [] : ['list', 'position'])];
  return {
    TableName: table,
    Key: marshalled(keyOf(before.object)),
    UpdateExpression: `SET ${fields.map(([field]) => `#${field} = :${field}`).join(', ')} REMOVE ${removed
      .map((field) => `#${field}`)
      .join(', ')}`,
    ConditionExpression: '#status = :wasStatus AND #parts = :wasParts',
    ExpressionAttributeNames: Object.fromEntries(
      [...fields.map(([field]) => field), ...removed].map((field) => [`#${field}`, field]),
    ),
    ExpressionAttributeValues: marshalled({
      ...Object.fromEntries(fields.map(([field, value]) => [`:${field}`, value])),
      ':wasStatus': before.status,
      ':wasParts': before.parts,
    }),
  };
}

/** The imports of one object, as a command watches them; the latest put is last. */
export async function importsOf(table: Table, key: string): Promise<WatchedJob[]> {
  const { Items: items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: marshalled({ ':pk': `${IMPORT}${key}` }),
    }),
  );
  return items.map((item) => WatchedItem.parse(unmarshall(item)));
}

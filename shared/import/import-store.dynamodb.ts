import { QueryCommand, TransactionConflictException, type Update, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { takingOne } from '#shared/quotas/limited-counts.dynamodb';
import { countOfDay } from '#shared/quotas/quotas.dynamodb';
import { getItem, listItems, marshalled, type Table, transact, whenAllowed } from '#shared/table/table.dynamodb';
import {
  ALL_TENANTS,
  entryOf,
  expiry,
  importKey,
  jobIn,
  type WatchedJob,
  watchedJobIn,
} from './import-items.dynamodb.ts';
import type { ImportedObject, ImportJob, ImportJobs, JobStep } from './import-job.ts';
import { IMPORT, RUNNING_IMPORTS } from './table-keys.ts';

interface ImportStoreOptions {
  /** The owner whose list the import is in. @default one list for all tenants */
  readonly ownerOf?: (object: ImportedObject) => string;
  /** The number of imports that an owner may start per UTC day. One more fails when it starts. @default unlimited */
  readonly perDay?: number;
}

export const importStore = (
  table: Table,
  { ownerOf = () => ALL_TENANTS, perDay = Number.POSITIVE_INFINITY }: ImportStoreOptions = {},
): ImportJobs => ({
  begin: (job) => begin(table, job, { owner: ownerOf(job.object), perDay }),
  reread: (job) => reread(table, job),
  advance: (step) => advance(table, step),
  progress: (job, progress, now) => noteProgress(table, job, { progress, now }),
  running: () => running(table),
  recordWake: (job, now) => recordWake(table, job, now),
});

interface Beginning {
  readonly owner: string;
  readonly perDay: number;
}

/** Writes the import, its entry in the owner's list, and the count of the day in one transaction. */
async function begin(table: Table, job: ImportJob, { owner, perDay }: Beginning): Promise<ImportJob> {
  const count = countOfDay(owner, 'imports', { now: Date.parse(job.startedAt), limit: perDay });
  const isLimited = Number.isFinite(perDay);
  const begun = await transact(table, [
    ...firstWrites(table, job, owner),
    ...(isLimited ? [takingOne(table, count)] : []),
  ]);
  if (begun.done) return job;
  if (begun.refused[0] || begun.refused[1]) return reread(table, job);
  const error = `The account has used up its ${perDay} imports of this UTC day. Put the file again tomorrow.`;
  const ended: ImportJob = { ...job, status: 'FAILED', error };
  return (await transact(table, firstWrites(table, ended, owner))).done ? ended : reread(table, job);
}

function firstWrites(table: Table, job: ImportJob, owner: string) {
  const position = `${job.startedAt}#${job.id}`;
  const ttl = expiry(job.startedAt);
  const listing = job.status === 'RUNNING' && { list: RUNNING_IMPORTS, position };
  return [
    { ...importKey(job.object), ...job, ...listing, ttl },
    { ...entryOf(job, owner), position, ttl },
  ].map((item) => ({
    Put: { TableName: table.name, Item: marshalled(item), ConditionExpression: 'attribute_not_exists(pk)' },
  }));
}

async function reread(table: Table, job: ImportJob): Promise<ImportJob> {
  const item = await getItem(table, importKey(job.object));
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
        Key: marshalled(importKey(job.object)),
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
  ).catch(unlessInConflict);
}

/** A step of the import is being made, so the next report is a second away. */
function unlessInConflict(error: unknown): void {
  if (!(error instanceof TransactionConflictException)) throw error;
}

async function* running(table: Table): AsyncGenerator<ImportJob> {
  let cursor: string | undefined;
  do {
    const page = await listItems(table, RUNNING_IMPORTS, { limit: 100, ...(cursor !== undefined && { cursor }) });
    for (const item of page.items) yield jobIn(item);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function recordWake(
  table: Table,
  { object, parts, updatedAt, wakings = 0 }: ImportJob,
  now: number,
): Promise<boolean> {
  const write = whenAllowed(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshalled(importKey(object)),
        UpdateExpression: 'SET wakings = :wakings, wokenAt = :now',
        ConditionExpression:
          '#status = :running AND parts = :parts AND updatedAt = :readAt AND (attribute_not_exists(wakings) OR wakings = :before)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: marshalled({
          ':wakings': wakings + 1,
          ':before': wakings,
          ':now': isoTime(now),
          ':running': 'RUNNING',
          ':parts': parts,
          ':readAt': updatedAt,
        }),
      }),
    ),
  );
  return (await write).done;
}

/** The write of one step, alone or in a transaction with the content of the part. */
export function jobUpdate(table: string, { before, after }: JobStep): Update & { UpdateExpression: string } {
  const { id: _id, object: _object, type: _type, startedAt: _startedAt, wakings: _, wokenAt: __, ...changing } = after;
  const fields = Object.entries(changing).filter(([, value]) => value !== undefined);
  // A finished import leaves the list of running ones, and progress resets the wakings.
  const removed = ['wakings', 'wokenAt', ...(after.status === 'RUNNING' ? [] : ['list', 'position'])];
  return {
    TableName: table,
    Key: marshalled(importKey(before.object)),
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

/** The newest imports of one object, at most 100. The latest put is first. */
export async function importsOf(table: Table, key: string): Promise<WatchedJob[]> {
  const { Items: items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: marshalled({ ':pk': `${IMPORT}${key}` }),
      ScanIndexForward: false,
      Limit: 100,
    }),
  );
  return items.map((item) => watchedJobIn(unmarshall(item)));
}

import { QueryCommand, TransactionConflictException, type Update, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getItem, listItems, marshalled, type Table, transact, whenAllowed } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
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

/** @param ownerOf whose list an import is in. @default one list for all tenants */
export const importStore = (
  table: Table,
  ownerOf: (object: ImportedObject) => string = () => ALL_TENANTS,
): ImportJobs => ({
  begin: (job) => begin(table, job, ownerOf(job.object)),
  reread: (job) => reread(table, job),
  advance: (step) => advance(table, step),
  progress: (job, progress, now) => noteProgress(table, job, { progress, now }),
  running: () => running(table),
  noteWaking: (job, now) => noteWaking(table, job, now),
});

/** The job and its entry in the list of its owner are written together: what has begun is listed. */
async function begin(table: Table, job: ImportJob, owner: string): Promise<ImportJob> {
  const position = `${job.startedAt}#${job.id}`;
  const ttl = expiry(job.startedAt);
  const items = [
    { ...importKey(job.object), ...job, list: RUNNING_IMPORTS, position, ttl },
    { ...entryOf(job, owner), position, ttl },
  ];
  const begun = await transact(
    table,
    items.map((item) => ({
      Put: { TableName: table.name, Item: marshalled(item), ConditionExpression: 'attribute_not_exists(pk)' },
    })),
  );
  return begun.done ? job : reread(table, job);
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
        Key: marshalled(importKey(object)),
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
  return items.map((item) => watchedJobIn(unmarshall(item)));
}

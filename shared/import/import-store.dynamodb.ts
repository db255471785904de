import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { takingOne } from '#shared/quotas/limited-counts.dynamodb';
import { countOfDay } from '#shared/quotas/quotas.dynamodb';
import { queryPage } from '#shared/table/queries.dynamodb';
import { readItem, type Table, transact, wholeList } from '#shared/table/table.dynamodb';
import { assignment, type Change, IS_NEW, putWrite, updateItem, updateWrite } from '#shared/table/writes.dynamodb';
import { currentOrigin } from '#shared/telemetry/origin';
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
    { ...importKey(job.object), ...currentOrigin(), ...job, ...listing, ttl },
    { ...entryOf(job, owner), position, ttl },
  ].map((item) => putWrite(table.name, item, IS_NEW));
}

async function reread(table: Table, job: ImportJob): Promise<ImportJob> {
  const stored = await readItem(table, importKey(job.object), jobIn);
  if (!stored) throw new Error(`Import ${job.id} is gone.`);
  return stored;
}

async function advance(table: Table, step: JobStep): Promise<boolean> {
  try {
    return (await updateItem(table, importKey(step.before.object), changeIn(step))).done;
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
  await updateItem(table, importKey(job.object), {
    change: 'SET progress = :progress, updatedAt = :now',
    condition: '#status = :running AND parts = :parts',
    values: { progress, now: isoTime(now), running: 'RUNNING', parts: job.parts },
  }).catch(unlessInConflict);
}

/** A step of the import is being made, so the next report is a second away. */
function unlessInConflict(error: unknown): void {
  if (!(error instanceof TransactionConflictException)) throw error;
}

async function* running(table: Table): AsyncGenerator<ImportJob> {
  for await (const item of wholeList(table, RUNNING_IMPORTS)) yield jobIn(item);
}

async function recordWake(
  table: Table,
  { object, parts, updatedAt, wakeUps = 0 }: ImportJob,
  now: number,
): Promise<boolean> {
  const write = await updateItem(table, importKey(object), {
    change: 'SET wakeUps = :wakeUps, wokenAt = :now',
    condition:
      '#status = :running AND parts = :parts AND updatedAt = :readAt AND (attribute_not_exists(wakeUps) OR wakeUps = :before)',
    values: {
      wakeUps: wakeUps + 1,
      before: wakeUps,
      now: isoTime(now),
      running: 'RUNNING',
      parts,
      readAt: updatedAt,
    },
  });
  return write.done;
}

/** The write of one step in a transaction with the content of the part. */
export const jobUpdate = (table: string, step: JobStep) =>
  updateWrite(table, importKey(step.before.object), changeIn(step));

function changeIn({ before, after }: JobStep): Change {
  const { id: _id, object: _object, type: _type, startedAt: _startedAt, ...fields } = after;
  const defined = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  // A finished import leaves the list of running ones, and progress resets the wake-ups.
  const removed = {
    wakeUps: undefined,
    wokenAt: undefined,
    ...(after.status !== 'RUNNING' && { list: undefined, position: undefined }),
  };
  const changed = { ...defined, ...removed };
  return {
    ...assignment(changed),
    condition: '#status = :wasStatus AND #parts = :wasParts',
    values: { ...changed, wasStatus: before.status, wasParts: before.parts },
  };
}

/** The newest imports of one object, at most 100. The latest put is first. */
export async function importsOf(table: Table, key: string): Promise<WatchedJob[]> {
  const query = { where: 'pk = :pk', values: { pk: `${IMPORT}${key}` }, backwards: true, limit: 100 };
  return (await queryPage(table, query)).items.map(watchedJobIn);
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { renewed } from '#shared/auth/data-credit';
import { DataTokenItem, renewCredit } from '#shared/auth/data-token-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { queryItems, queryPage } from '#shared/table/queries.dynamodb';
import { readItem, type Table, type Transacted, transact, wholeList } from '#shared/table/table.dynamodb';
import { type Change, EXISTS, IS_NEW, putWrite, updateItem, updateWrite } from '#shared/table/writes.dynamodb';
import { currentOrigin } from '#shared/telemetry/origin';
import { RUNNING_DOWNLOADS } from '../table-keys.ts';
import { type CreditCharge, creditCharge, creditRefund } from './charge-credits.dynamodb.ts';
import {
  FileItem,
  fileKey,
  PlanItem,
  planKey,
  RequestItem,
  requestKey,
  whileStarted,
} from './download-items.dynamodb.ts';
import type { DownloadPlan, DownloadRequest } from './download-request.ts';
import type { DownloadKey, DownloadStates, Downloads, Reservation } from './downloads.ts';
import { type FileRange, filesOf, RESULT_SECONDS, type ResultFile } from './result-file.ts';

const RunningItem = z.object({ tokenId: z.string(), id: z.int() });

export const downloadStates = (table: Table): DownloadStates => ({
  request: (key) => requestOf(table, key),
  plan: (key) => planOf(table, key),
  lastFile: (key, range) => lastFile(table, key, range),
  files: (key, now, page) => filesSince(table, key, { since: isoTime(now - RESULT_SECONDS * 1000), ...page }),
  running: () => running(table),
  recordWake: (request, now) => recordWake(table, request, now),
});

export const requestOf = (table: Table, key: DownloadKey): Promise<DownloadRequest | undefined> =>
  readItem(table, requestKey(key), (item) => RequestItem.parse(item));

const planOf = (table: Table, key: DownloadKey): Promise<DownloadPlan | undefined> =>
  readItem(table, planKey(key), (item) => PlanItem.parse(item));

async function lastFile(table: Table, key: DownloadKey, { from, to }: FileRange): Promise<number | undefined> {
  const { pk, sk: first } = fileKey(key, from);
  const { items } = await queryPage(table, {
    where: 'pk = :pk AND sk BETWEEN :first AND :last',
    values: { pk, first, last: fileKey(key, to - 1).sk },
    backwards: true,
    limit: 1,
  });
  return items.map((item) => FileItem.parse(item).file)[0];
}

async function filesSince(
  table: Table,
  key: DownloadKey,
  { since, after, limit }: { since: string; after: number; limit: number },
): Promise<ResultFile[]> {
  const files: ResultFile[] = [];
  const behind = fileKey(key, after);
  const items = queryItems(table, {
    where: 'pk = :pk AND begins_with(sk, :prefix)',
    values: { pk: behind.pk, prefix: 'FILE#' },
    after: behind,
  });
  for await (const item of items) {
    const file = FileItem.parse(item);
    if (file.createdAt > since) files.push(file);
    if (files.length === limit) break;
  }
  return files;
}

async function* running(table: Table): AsyncGenerator<DownloadKey> {
  for await (const item of wholeList(table, RUNNING_DOWNLOADS)) yield RunningItem.parse(item);
}

async function recordWake(
  table: Table,
  { wakeUps = 0, progressedAt, ...key }: DownloadRequest,
  now: number,
): Promise<boolean> {
  const change = whileStarted({
    change: 'SET wakeUps = :wakeUps, wokenAt = :now',
    values: { wakeUps: wakeUps + 1, now: isoTime(now), before: wakeUps, progressed: progressedAt },
    condition: 'progressedAt = :progressed AND (wakeUps = :before OR attribute_not_exists(wakeUps))',
  });
  return (await updateItem(table, requestKey(key), change)).done;
}

/** @param accounts the table that holds how many records each token may still download. */
export function downloadStore(table: Table, accounts: Table): Downloads {
  const tables: Tables = { table, accounts };
  return {
    ...downloadStates(table),
    start: (request, plan) => start(tables, request, plan),
    planned: (request, plan, now) => planned(tables, request, { ...plan, now }),
    addFile: (request, file) => addFile(table, request, file),
    complete: (key, now) => complete(table, key, now),
    fail: (key, error, now) => fail(tables, key, { error, now }),
    recordFailure: (key) => recordFailure(table, key),
  };
}

interface Tables {
  readonly table: Table;
  readonly accounts: Table;
}

async function start(
  { table, accounts }: Tables,
  request: DownloadRequest,
  plan: DownloadPlan,
): Promise<Reservation | 'id-taken'> {
  const now = Date.parse(request.startedAt);
  const outcome = await withCharge(accounts, now, (charge) =>
    transact(table, [
      putWrite(table.name, { ...planKey(request), ...plan, ...ownerOf(request), ...listing(request) }, IS_NEW),
      putWrite(table.name, { ...requestKey(request), ...currentOrigin(), ...request }),
      charge({ tokenId: request.tokenId, records: request.numRequested, now }),
    ]),
  );
  if (!outcome.done && outcome.refused[0]) return 'id-taken';
  return reserved(outcome);
}

async function planned(
  { table, accounts }: Tables,
  request: DownloadRequest,
  { counts, now }: DownloadPlan & { readonly now: number },
): Promise<Reservation | 'ended'> {
  const { numFound, numRequested } = request;
  const outcome = await withCharge(accounts, now, (charge) =>
    transact(table, [
      updating(table, request, {
        change: 'SET numFound = :found, numRequested = :requested',
        values: { found: numFound, requested: numRequested },
      }),
      updateWrite(table.name, planKey(request), {
        change: 'SET #counts = :counts',
        condition: 'attribute_exists(pk) AND attribute_not_exists(#counts)',
        values: { counts },
      }),
      charge({ tokenId: request.tokenId, records: numRequested, now }),
    ]),
  );
  if (!outcome.done && (outcome.refused[0] || outcome.refused[1])) return 'ended';
  return reserved(outcome);
}

async function addFile(
  table: Table,
  request: DownloadRequest,
  file: ResultFile,
): Promise<'added' | 'already-counted' | 'ended'> {
  const isOnly = filesOf(request) === 1;
  const done = isOnly ? ', #status = :completed, completedAt = :now' : '';
  const item = { ...fileKey(request, file.file), ...file, ...ownerOf(request), ttl: expiry(file.createdAt) };
  const outcome = await transact(table, [
    putWrite(table.name, item, IS_NEW),
    updating(table, request, {
      change: `SET progressedAt = :now${done} ADD numDownloaded :records, filesDone :one REMOVE failures, wakeUps, wokenAt`,
      values: { now: file.createdAt, records: file.records, one: 1, ...(isOnly && { completed: 'COMPLETED' }) },
    }),
    ...(isOnly ? [unlisting(table, request)] : []),
  ]);
  if (outcome.done) return 'added';
  return outcome.refused[0] ? 'already-counted' : 'ended';
}

async function complete(table: Table, key: DownloadKey, now: number): Promise<void> {
  const request = await requestOf(table, key);
  if (request?.status !== 'STARTED' || request.filesDone < filesOf(request)) return;
  await transact(table, [
    updating(table, key, {
      change: 'SET #status = :completed, completedAt = :now',
      values: { completed: 'COMPLETED', now: isoTime(now) },
    }),
    unlisting(table, key),
  ]);
}

async function fail(
  { table, accounts }: Tables,
  key: DownloadKey,
  { error, now }: { error: string; now: number },
): Promise<void> {
  for (let hasToken = true; ; ) {
    const request = await requestOf(table, key);
    if (request?.status !== 'STARTED') return;
    const { numRequested, numDownloaded } = request;
    const refund = creditRefund(accounts, key.tokenId, numRequested - numDownloaded);
    const outcome = await transact(table, [
      updating(table, key, {
        change: 'SET #status = :completed, completedAt = :now, #error = :error',
        values: {
          completed: 'COMPLETED',
          now: isoTime(now),
          error,
          requested: numRequested,
          downloaded: numDownloaded,
        },
        condition: 'numRequested = :requested AND numDownloaded = :downloaded',
      }),
      unlisting(table, key),
      ...(hasToken ? [refund] : []),
    ]);
    // An erasure of the account has deleted the plan, and deletes the request too.
    if (outcome.done || outcome.refused[1]) return;
    // The token no longer exists, so there is nothing to refund.
    if (outcome.refused[2]) hasToken = false;
    // Otherwise another file was added since the read: retry, so that the refund equals the missing records.
  }
}

async function recordFailure(table: Table, key: DownloadKey): Promise<number> {
  const change = whileStarted({ change: 'ADD failures :one', values: { one: 1 } });
  const write = await updateItem(table, requestKey(key), { ...change, returns: 'UPDATED_NEW' });
  return write.done ? Number(write.item['failures']) : 0;
}

const updating = (table: Table, key: DownloadKey, change: Change): TransactWriteItem =>
  updateWrite(table.name, requestKey(key), whileStarted(change));

/** Removes a plan from the list of running downloads. */
const unlisting = (table: Table, key: DownloadKey): TransactWriteItem =>
  updateWrite(table.name, planKey(key), { change: 'REMOVE #list, #position', ...EXISTS });

/** The owner of a plan or a file: their keys do not name it. */
const ownerOf = ({ tokenId, tenant }: DownloadRequest) => ({ tokenId, tenant });

/** Running downloads are listed in order of time. */
const listing = ({ id, startedAt }: DownloadRequest) => ({
  id,
  list: RUNNING_DOWNLOADS,
  position: `${startedAt}#${id}`,
});

const expiry = (createdAt: string) => Math.floor(Date.parse(createdAt) / 1000) + RESULT_SECONDS;

/** The index of the write that charges the credits. */
const CHARGE = 2;
const RENEWALS_MAX = 3;

/**
 * Executes a transaction that charges credits, and retries if the credit had to be renewed for the month first. The
 * transaction's conditions hold once per download, so a download is charged exactly once, however often it is tried.
 */
async function withCharge(
  accounts: Table,
  now: number,
  transactWith: (charge: (credits: CreditCharge) => ReturnType<typeof creditCharge>) => Promise<Transacted>,
): Promise<Transacted> {
  for (let renewals = 0; ; renewals += 1) {
    const outcome = await transactWith((credits) => creditCharge(accounts, credits));
    const item = outcome.done ? undefined : outcome.refused[CHARGE]?.item;
    const token = item && DataTokenItem.parse(item);
    if (!token || token.revokedAt !== undefined || renewed(token, now) === token || renewals >= RENEWALS_MAX) {
      return outcome;
    }
    await renewCredit(accounts, token, now);
  }
}

function reserved(outcome: Transacted): Reservation {
  if (outcome.done) return 'reserved';
  return outcome.refused[CHARGE]?.item?.['revokedAt'] === undefined ? 'too-few-credits' : 'token-revoked';
}

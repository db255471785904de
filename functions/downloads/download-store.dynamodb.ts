import { QueryCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { returningDownloads, takingDownloads } from '#shared/auth/data-accounts.dynamodb';
import {
  getItem,
  type Item,
  type Key,
  listItems,
  marshalled,
  type Table,
  type Transacted,
  transact,
  whenAllowed,
} from '#shared/table.dynamodb';
import { type DownloadPlan, type DownloadRequest, filesOf } from './download/download-request.ts';
import {
  type DownloadKey,
  type Downloads,
  RESULT_SECONDS,
  type Reserved,
  type ResultFile,
} from './download/downloads.ts';

const RequestItem = z.object({
  id: z.number().int(),
  tokenId: z.string(),
  tenant: z.string(),
  planId: z.string(),
  type: z.enum(['businesses', 'products', 'properties']),
  query: z.string(),
  view: z.string(),
  format: z.enum(['json', 'csv']),
  records: z.string(),
  status: z.enum(['STARTED', 'COMPLETED']),
  error: z.string(),
  numFound: z.number().int(),
  numRequested: z.number().int(),
  numDownloaded: z.number().int(),
  filesDone: z.number().int(),
  startedAt: z.string(),
  progressedAt: z.string(),
  completedAt: z.string().optional(),
  wakings: z.number().int().optional(),
  wokenAt: z.string().optional(),
});

const PlanItem = z.object({ version: z.number().int(), counts: z.array(z.number().int()).optional() });

const FileItem = z.object({
  file: z.number().int(),
  records: z.number().int(),
  bytes: z.number().int(),
  createdAt: z.string(),
});

const RUNNING = 'RUNNING_DOWNLOADS';

/** A request stands beside the others of its token. Its plan and files stand under its id, which is unique by that. */
const requestKey = ({ tokenId, id }: DownloadKey): Key => ({
  pk: `DOWNLOADS#${tokenId}`,
  sk: `REQUEST#${padded(id, 16)}`,
});
const planKey = ({ id }: DownloadKey): Key => ({ pk: `REQUEST#${id}`, sk: 'PLAN' });
const fileKey = ({ id }: DownloadKey, file: number): Key => ({ pk: `REQUEST#${id}`, sk: `FILE#${padded(file, 5)}` });
const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

/** @param accounts the table that holds how many records each token may still download; only starting and ending need it. */
export const downloadStore = (table: Table, accounts?: Table): Downloads => {
  const accountsTable = () => {
    if (!accounts) throw new Error('This store was made without accounts.');
    return accounts;
  };

  /** A change of a request that has not ended. */
  const update = (key: DownloadKey, change: string, values: object, condition = '') => ({
    Update: {
      TableName: table.name,
      Key: marshalled(requestKey(key)),
      UpdateExpression: change,
      ConditionExpression: `#status = :started${condition}`,
      ExpressionAttributeNames: { '#status': 'status', ...(change.includes('#error') && { '#error': 'error' }) },
      ExpressionAttributeValues: marshalled({ ':started': 'STARTED', ...values }),
    },
  });

  /** A plan without a place in the list of what runs. */
  const unlisted = (key: DownloadKey): TransactWriteItem => ({
    Update: {
      TableName: table.name,
      Key: marshalled(planKey(key)),
      UpdateExpression: 'REMOVE #list, #position',
      ExpressionAttributeNames: { '#list': 'list', '#position': 'position' },
    },
  });

  async function* items(pk: string, prefix: string, options: { forward: boolean; after?: string; limit?: number }) {
    let start: Item | undefined = options.after === undefined ? undefined : { pk, sk: options.after };
    do {
      const { Items: found = [], LastEvaluatedKey: last } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: marshalled({ ':pk': pk, ':prefix': prefix }),
          ScanIndexForward: options.forward,
          ...(options.limit !== undefined && { Limit: options.limit }),
          ...(start && { ExclusiveStartKey: marshalled(start) }),
        }),
      );
      for (const item of found) yield unmarshall(item);
      start = last && unmarshall(last);
    } while (start);
  }

  return {
    async start(request, plan) {
      const outcome = await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: marshalled({ ...planKey(request), ...plan, tokenId: request.tokenId, ...listing(request) }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        { Put: { TableName: table.name, Item: marshalled({ ...requestKey(request), ...request }) } },
        { Update: takingDownloads(accountsTable(), request.tokenId, request.numRequested) },
      ]);
      if (!outcome.done && outcome.refused[0]) return 'id-taken';
      return reserved(outcome, 2);
    },

    async planned(request, { counts }) {
      const { numFound, numRequested } = request;
      const outcome = await transact(table, [
        update(request, 'SET numFound = :found, numRequested = :requested', {
          ':found': numFound,
          ':requested': numRequested,
        }),
        {
          Update: {
            TableName: table.name,
            Key: marshalled(planKey(request)),
            UpdateExpression: 'SET #counts = :counts',
            ConditionExpression: 'attribute_not_exists(#counts)',
            ExpressionAttributeNames: { '#counts': 'counts' },
            ExpressionAttributeValues: marshalled({ ':counts': counts }),
          },
        },
        { Update: takingDownloads(accountsTable(), request.tokenId, numRequested) },
      ]);
      if (!outcome.done && (outcome.refused[0] || outcome.refused[1])) return 'ended';
      return reserved(outcome, 2);
    },

    async request(key) {
      const item = await getItem(table, requestKey(key));
      return item && RequestItem.parse(item);
    },

    async requests(tokenId) {
      const found: DownloadRequest[] = [];
      for await (const item of items(`DOWNLOADS#${tokenId}`, 'REQUEST#', { forward: false })) {
        found.push(RequestItem.parse(item));
      }
      return found;
    },

    async plan(key): Promise<DownloadPlan | undefined> {
      const item = await getItem(table, planKey(key));
      return item && PlanItem.parse(item);
    },

    async lastFile(key, { from, to }) {
      const { Items: [last] = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: marshalled({
            ':pk': fileKey(key, from).pk,
            ':first': fileKey(key, from).sk,
            ':last': fileKey(key, to - 1).sk,
          }),
          ScanIndexForward: false,
          Limit: 1,
        }),
      );
      return last && FileItem.parse(unmarshall(last)).file;
    },

    async files(key, now, { after, limit }) {
      const found: ResultFile[] = [];
      const since = new Date(now.getTime() - RESULT_SECONDS * 1000).toISOString();
      for await (const item of items(`REQUEST#${key.id}`, 'FILE#', { forward: true, after: fileKey(key, after).sk })) {
        const file = FileItem.parse(item);
        if (file.createdAt > since) found.push(file);
        if (found.length === limit) break;
      }
      return found;
    },

    async addFile(request, file) {
      const isOnly = filesOf(request) === 1;
      const done = isOnly ? ', #status = :completed, completedAt = :now' : '';
      const outcome = await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: marshalled({ ...fileKey(request, file.file), ...file, ttl: expiry(file.createdAt) }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        update(
          request,
          `SET progressedAt = :now${done} ADD numDownloaded :records, filesDone :one REMOVE troubles, wakings, wokenAt`,
          {
            ':now': file.createdAt,
            ':records': file.records,
            ':one': 1,
            ...(isOnly && { ':completed': 'COMPLETED' }),
          },
        ),
        ...(isOnly ? [unlisted(request)] : []),
      ]);
      if (outcome.done) return 'added';
      return outcome.refused[0] ? 'there' : 'ended';
    },

    async complete(key, now) {
      const request = await this.request(key);
      if (request?.status !== 'STARTED' || request.filesDone < filesOf(request)) return;
      const change = 'SET #status = :completed, completedAt = :now';
      await transact(table, [
        update(key, change, { ':completed': 'COMPLETED', ':now': now.toISOString() }),
        unlisted(key),
      ]);
    },

    async fail(key, error, now) {
      for (;;) {
        const request = await this.request(key);
        if (request?.status !== 'STARTED') return;
        const { numRequested, numDownloaded } = request;
        const outcome = await transact(table, [
          update(
            key,
            'SET #status = :completed, completedAt = :now, #error = :error',
            {
              ':completed': 'COMPLETED',
              ':now': now.toISOString(),
              ':error': error,
              ':requested': numRequested,
              ':downloaded': numDownloaded,
            },
            ' AND numRequested = :requested AND numDownloaded = :downloaded',
          ),
          unlisted(key),
          { Update: returningDownloads(accountsTable(), key.tokenId, numRequested - numDownloaded) },
        ]);
        // Another file came in between: what is given back must be what is missing.
        if (outcome.done) return;
      }
    },

    async noteTrouble(key) {
      const write = await whenAllowed(
        table.client.send(
          new UpdateItemCommand({
            ...update(key, 'ADD troubles :one', { ':one': 1 }).Update,
            ReturnValues: 'UPDATED_NEW',
          }),
        ),
      );
      return write.done && write.result.Attributes ? Number(unmarshall(write.result.Attributes)['troubles']) : 0;
    },

    async *running() {
      let cursor: string | undefined;
      do {
        const page = await listItems(table, RUNNING, { limit: 100, ...(cursor !== undefined && { cursor }) });
        for (const item of page.items) yield z.object({ tokenId: z.string(), id: z.number().int() }).parse(item);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },

    async noteWaking({ wakings = 0, progressedAt, ...key }, now) {
      const { Update: noted } = update(
        key,
        'SET wakings = :wakings, wokenAt = :now',
        { ':wakings': wakings + 1, ':now': now.toISOString(), ':before': wakings, ':progressed': progressedAt },
        ` AND progressedAt = :progressed AND (wakings = :before OR attribute_not_exists(wakings))`,
      );
      return (await whenAllowed(table.client.send(new UpdateItemCommand(noted)))).done;
    },
  };
};

/** Started downloads are found in order of time. */
const listing = ({ id, startedAt }: DownloadRequest) => ({ id, list: RUNNING, position: `${startedAt}#${id}` });

const expiry = (createdAt: string) => Math.floor(Date.parse(createdAt) / 1000) + RESULT_SECONDS;

/** @param taking which of the writes takes the records. */
function reserved(outcome: Transacted, taking: number): Reserved {
  if (outcome.done) return 'reserved';
  return outcome.refused[taking]?.item?.['revokedAt'] === undefined ? 'too-few-credits' : 'token-revoked';
}

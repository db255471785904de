import { QueryCommand, type QueryCommandOutput, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { getItem, type Item, type Key, listItems, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import { RUNNING_DOWNLOADS } from '../table-keys.ts';
import {
  FileItem,
  fileKey,
  PlanItem,
  planKey,
  RequestItem,
  requestKey,
  requestUpdate,
} from './download-items.dynamodb.ts';
import type { DownloadPlan, DownloadRequest } from './download-request.ts';
import { type DownloadKey, type DownloadStates } from './downloads.ts';
import { type FileRange, RESULT_SECONDS, type ResultFile } from './result-file.ts';

const RunningItem = z.object({ tokenId: z.string(), id: z.int() });

export const downloadStates = (table: Table): DownloadStates => ({
  request: (key) => requestOf(table, key),
  plan: (key) => planOf(table, key),
  lastFile: (key, range) => lastFile(table, key, range),
  files: (key, now, page) => filesSince(table, key, { since: isoTime(now - RESULT_SECONDS * 1000), ...page }),
  running: () => running(table),
  noteWaking: (request, now) => noteWaking(table, request, now),
});

export async function requestOf(table: Table, key: DownloadKey): Promise<DownloadRequest | undefined> {
  const item = await getItem(table, requestKey(key));
  return item && RequestItem.parse(item);
}

async function planOf(table: Table, key: DownloadKey): Promise<DownloadPlan | undefined> {
  const item = await getItem(table, planKey(key));
  return item && PlanItem.parse(item);
}

async function lastFile(table: Table, key: DownloadKey, { from, to }: FileRange): Promise<number | undefined> {
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
}

async function filesSince(
  table: Table,
  key: DownloadKey,
  { since, after, limit }: { since: string; after: number; limit: number },
): Promise<ResultFile[]> {
  const found: ResultFile[] = [];
  for await (const item of filesAfter(table, fileKey(key, after))) {
    const file = FileItem.parse(item);
    if (file.createdAt > since) found.push(file);
    if (found.length === limit) break;
  }
  return found;
}

async function* running(table: Table): AsyncGenerator<DownloadKey> {
  let cursor: string | undefined;
  do {
    const page = await listItems(table, RUNNING_DOWNLOADS, { limit: 100, ...(cursor !== undefined && { cursor }) });
    for (const item of page.items) yield RunningItem.parse(item);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function noteWaking(
  table: Table,
  { wakings = 0, progressedAt, ...key }: DownloadRequest,
  now: number,
): Promise<boolean> {
  const noted = requestUpdate(table.name, key, {
    change: 'SET wakings = :wakings, wokenAt = :now',
    values: { ':wakings': wakings + 1, ':now': isoTime(now), ':before': wakings, ':progressed': progressedAt },
    condition: ' AND progressedAt = :progressed AND (wakings = :before OR attribute_not_exists(wakings))',
  });
  return (await whenAllowed(table.client.send(new UpdateItemCommand(noted)))).done;
}

/** The items behind this key whose sort keys begin with `FILE#`, in order. */
async function* filesAfter(table: Table, key: Key): AsyncGenerator<Item> {
  let start: Item | undefined = key;
  do {
    const { Items: found = [], LastEvaluatedKey: last }: QueryCommandOutput = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: marshalled({ ':pk': key.pk, ':prefix': 'FILE#' }),
        ExclusiveStartKey: marshalled(start),
      }),
    );
    for (const item of found) yield unmarshall(item);
    start = last && unmarshall(last);
  } while (start);
}

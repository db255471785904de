import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { getItem, type Item, listItems, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { DOWNLOADS, REQUEST, RUNNING_DOWNLOADS } from '../table-keys.ts';
import {
  FileItem,
  fileKey,
  PlanItem,
  planKey,
  RequestItem,
  requestKey,
  requestUpdate,
} from './download-items.dynamodb.ts';
import type { DownloadPlan } from './download-request.ts';
import { type DownloadStates, RESULT_SECONDS, type ResultFile } from './downloads.ts';

const RunningItem = z.object({ tokenId: z.string(), id: z.int() });

export const downloadStates = (table: Table): DownloadStates => {
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
    async request(key) {
      const item = await getItem(table, requestKey(key));
      return item && RequestItem.parse(item);
    },

    async *requests(tokenId) {
      for await (const item of items(`${DOWNLOADS}${tokenId}`, 'REQUEST#', { forward: false }))
        yield RequestItem.parse(item);
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
      for await (const item of items(`${REQUEST}${key.id}`, 'FILE#', {
        forward: true,
        after: fileKey(key, after).sk,
      })) {
        const file = FileItem.parse(item);
        if (file.createdAt > since) found.push(file);
        if (found.length === limit) break;
      }
      return found;
    },

    async *running() {
      let cursor: string | undefined;
      do {
        const page = await listItems(table, RUNNING_DOWNLOADS, { limit: 100, ...(cursor !== undefined && { cursor }) });
        for (const item of page.items) yield RunningItem.parse(item);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },

    async noteWaking({ wakings = 0, progressedAt, ...key }, now) {
      const noted = requestUpdate(table.name, key, {
        change: 'SET wakings = :wakings, wokenAt = :now',
        values: { ':wakings': wakings + 1, ':now': now.toISOString(), ':before': wakings, ':progressed': progressedAt },
        condition: ' AND progressedAt = :progressed AND (wakings = :before OR attribute_not_exists(wakings))',
      });
      return (await whenAllowed(table.client.send(new UpdateItemCommand(noted)))).done;
    },
  };
};

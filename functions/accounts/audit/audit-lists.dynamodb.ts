import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { AUDIT, AUDIT_SHARDS, AUDITS, AuditEnd, AuditLine } from '#shared/audit/audit-line';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import type { AuditLists, ListPart } from './audit-pages.ts';

const Item = z.object({ ...AuditLine.shape, ...z.partial(AuditEnd).shape, position: z.string() });

/** One read takes so many lines of a list, which is under 100 KB. */
const LINES = 100;

/** The lines of one tenant since a time, as they are now. */
export const linesOfTenant = (table: Table, tenant: string, since: string): AuditLists =>
  listsOf(table, since, [
    { ConsistentRead: true, partition: { name: 'pk', value: `${AUDIT}${tenant}` }, position: 'sk' },
  ]);

/** The lines of all tenants and of none. They follow the table within moments. */
export const linesOfAll = (table: Table, since: string): AuditLists =>
  listsOf(
    table,
    since,
    Array.from({ length: AUDIT_SHARDS }, (_, shard) => ({
      IndexName: 'Listing',
      partition: { name: 'list', value: `${AUDITS}${shard}` },
      position: 'position',
    })),
  );

type List = Pick<QueryCommandInput, 'ConsistentRead' | 'IndexName'> & {
  readonly partition: { readonly name: string; readonly value: string };
  readonly position: string;
};

const listsOf = (table: Table, since: string, lists: readonly List[]): AuditLists => ({
  before: (position) => Promise.all(lists.map((list) => partOf(table, list, { since, before: position }))),
});

async function partOf(
  { client, name }: Table,
  { partition, position, ...list }: List,
  { since, before }: { readonly since: string; readonly before: string },
): Promise<ListPart> {
  if (since >= before) return { lines: [], hasMore: false };
  const { Items: items = [], LastEvaluatedKey: last } = await client.send(
    new QueryCommand({
      TableName: name,
      ...list,
      KeyConditionExpression: '#partition = :partition AND #position BETWEEN :since AND :before',
      ExpressionAttributeNames: { '#partition': partition.name, '#position': position },
      ExpressionAttributeValues: marshalled({ ':partition': partition.value, ':since': since, ':before': before }),
      ScanIndexForward: false,
      Limit: LINES + 1,
    }),
  );
  // A range takes its ends in, and the line at the end was on the page before.
  const read = items.map((item) => Item.parse(unmarshall(item))).filter(({ position: at }) => at !== before);
  return {
    lines: read.map(({ position: at, ...line }) => ({ position: at, line })),
    hasMore: last !== undefined,
  };
}

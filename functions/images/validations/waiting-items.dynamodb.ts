/** Lists the validations that wait for another one's verdict, in the partition of the awaited validation. */
import { PutItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import { validationKey } from './validation-items.dynamodb.ts';

const PREFIX = 'WAITING#';
const WaitingItem = z.object({ waiting: z.string() });

/** @param until the entry expires after this time */
export async function addWaiting(
  table: Table,
  { tenant, id }: TenantKey,
  { awaited, until }: { readonly awaited: readonly string[]; readonly until: string },
): Promise<void> {
  const ttl = Math.ceil(Date.parse(until) / 1_000) + 86_400;
  const put = (other: string) =>
    new PutItemCommand({
      TableName: table.name,
      Item: marshalled({ ...validationKey({ tenant, id: other }), sk: `${PREFIX}${id}`, waiting: id, ttl }),
    });
  await Promise.all(awaited.map((other) => table.client.send(put(other))));
}

/** The validations that wait for this one, including all that were added before the call. */
export async function waitingFor(table: Table, key: TenantKey): Promise<string[]> {
  const ids: string[] = [];
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: marshalled({ ':pk': validationKey(key).pk, ':prefix': PREFIX }),
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    ids.push(...(answer.Items ?? []).map((item) => WaitingItem.parse(unmarshall(item)).waiting));
    start = answer.LastEvaluatedKey;
  } while (start);
  return ids;
}

import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { TenantKey } from '#shared/ids';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import type { Validation } from '../validations/validation.ts';
import { validationIn } from '../validations/validation-items.dynamodb.ts';
import { lists, partitionsOf } from '../validations/validation-lists.ts';
import type { ListRequest } from './requests/list-request.ts';

/**
 * A page of the validations of a customer, newest first. Skipped validations are only counted, not transferred. The
 * index is eventually consistent.
 */
export async function customerValidations(
  table: Table,
  { tenant, id }: TenantKey,
  { limit, page }: ListRequest,
): Promise<Validation[]> {
  // It is one partition: the query counts what it skips.
  const [partition] = partitionsOf(lists.ofCustomer(tenant, id));
  const query: QueryCommandInput = {
    TableName: table.name,
    IndexName: 'Customers',
    KeyConditionExpression: 'customerList = :list',
    ExpressionAttributeValues: marshalled({ ':list': partition }),
    ScanIndexForward: false,
  };
  const before = await counted(table, query, limit * (page - 1));
  if (before === 'end') return [];
  return read(table, query, { start: before, count: limit });
}

type Start = QueryCommandInput['ExclusiveStartKey'];

/** The start key after this many validations; `end` if there are no more. A query page holds at most 1 MB. */
async function counted(table: Table, query: QueryCommandInput, count: number): Promise<Start | 'end'> {
  let start: Start;
  for (let left = count; left > 0; ) {
    const answer = await table.client.send(
      new QueryCommand({ ...query, Select: 'COUNT', Limit: left, ExclusiveStartKey: start }),
    );
    left -= answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
    if (!start) return 'end';
  }
  return start;
}

async function read(
  table: Table,
  query: QueryCommandInput,
  { start, count }: { readonly start: Start; readonly count: number },
): Promise<Validation[]> {
  const validations: Validation[] = [];
  let from = start;
  do {
    const answer = await table.client.send(
      new QueryCommand({ ...query, Limit: count - validations.length, ExclusiveStartKey: from }),
    );
    validations.push(...(answer.Items ?? []).map((item) => validationIn(unmarshall(item))));
    from = answer.LastEvaluatedKey;
  } while (from && validations.length < count);
  return validations;
}

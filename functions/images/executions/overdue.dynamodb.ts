import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import { UNDECIDED } from '../table-keys.ts';
import type { Validation } from '../validations/validation.ts';
import { validationIn } from '../validations/validation-items.dynamodb.ts';

/** Iterates over overdue pending validations of all tenants, the longest overdue first. */
export async function* overdueIn({ client, name }: Table, now: number): AsyncIterable<Validation> {
  let start: Record<string, never> | undefined;
  do {
    const { Items: items = [], LastEvaluatedKey: last } = await client.send(
      new QueryCommand({
        TableName: name,
        IndexName: 'Undecided',
        KeyConditionExpression: 'undecided = :undecided AND due < :now',
        ExpressionAttributeValues: marshalled({ ':undecided': UNDECIDED, ':now': isoTime(now) }),
        Limit: 100,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of items) yield validationIn(unmarshall(item));
    start = last as typeof start;
  } while (start);
}

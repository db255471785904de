import { QueryCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { type Key, marshalled, type Table } from '#shared/table/table.dynamodb';
import { USAGE } from '../../table-keys.ts';
import { type BegunDay, endOfDay, type UsedDay } from './days.ts';

/** The retention of days, long enough to compare a year with the one before. */
const KEPT_SECONDS = 400 * 86_400;

const dayKey = (tenant: string, date: string): Key => ({ pk: `${USAGE}${tenant}`, sk: `DAY#${date}` });

const DayItem = z.object({ date: z.string(), live: z.int(), test: z.int() });

/** The write of a day that has ended. A day without use has no item. */
export function dayWrites(TableName: string, tenant: string, day: BegunDay | undefined): TransactWriteItem[] {
  const ended = day?.ended;
  if (!ended || (ended.live === 0 && ended.test === 0)) return [];
  const { date, live, test } = ended;
  return [
    {
      Update: {
        TableName,
        Key: marshalled(dayKey(tenant, date)),
        // The counts are added, so that a day that is written twice because clocks differ has both.
        UpdateExpression: 'SET #date = :date, #ttl = :ttl ADD #live :live, #test :test',
        ExpressionAttributeNames: { '#date': 'date', '#ttl': 'ttl', '#live': 'live', '#test': 'test' },
        ExpressionAttributeValues: marshalled({
          ':date': date,
          ':ttl': Math.floor(endOfDay(date) / 1_000) + KEPT_SECONDS,
          ':live': live,
          ':test': test,
        }),
      },
    },
  ];
}

/** Past days with use, from one date to another, both included. */
export async function endedDays(
  table: Table,
  tenant: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<UsedDay[]> {
  const days: UsedDay[] = [];
  let start: QueryCommand['input']['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: marshalled({
          ':pk': dayKey(tenant, from).pk,
          ':from': dayKey(tenant, from).sk,
          ':to': dayKey(tenant, to).sk,
        }),
        ExclusiveStartKey: start,
      }),
    );
    days.push(...(page.Items ?? []).map((item) => DayItem.parse(unmarshall(item))));
    start = page.LastEvaluatedKey;
  } while (start);
  return days;
}

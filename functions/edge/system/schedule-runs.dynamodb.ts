import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { SCHEDULE_RUNS } from '#shared/schedules/schedule-run';
import { recordRun } from '#shared/schedules/scheduled.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import type { ScheduleRuns } from './late-schedules.ts';

/** The runs that the functions of all schedules record: some twenty small items, less than a page. */
export const scheduleRuns = (table: Table): ScheduleRuns => ({
  async last() {
    const { Items: items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshall({ ':pk': SCHEDULE_RUNS }),
      }),
    );
    return new Map(items.map((item) => unmarshall(item)).map(({ sk, at }) => [String(sk), Number(at)]));
  },
  record: (name, at) => recordRun(table, name, at),
});

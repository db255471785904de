import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { variable } from '#shared/env';
import { invocation } from '#shared/invocation';
import { SCHEDULE_RUNS } from '#shared/schedules/schedule-run';
import { boundTable, marshalled, type Table } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';

/**
 * The handler of a function that a schedule calls. It records the run beside the work, so that the watch in `edge/system`
 * notices a schedule that has stopped. If the run cannot be recorded, the work is done all the same.
 */
export const scheduled = (work: (event: ScheduledEvent, context: Context) => Promise<void>) =>
  invocation(async (event: ScheduledEvent, context): Promise<void> => {
    const recorded = recordOwnRun(Date.parse(event.time));
    try {
      await work(event, context);
    } finally {
      await recorded;
    }
  });

export async function recordRun(table: Table, schedule: string, at: number): Promise<void> {
  const Item = marshalled({ pk: SCHEDULE_RUNS, sk: schedule, at });
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
}

async function recordOwnRun(at: number): Promise<void> {
  const [schedule, table] = [variable('SCHEDULE'), variable('SCHEDULE_RUNS_TABLE')];
  if (schedule === undefined || table === undefined) return;
  try {
    await recordRun(boundTable(table), schedule, at);
  } catch (error) {
    log.warn('run of a schedule not recorded', { schedule, error: error as Error });
  }
}

import type { Context, ScheduledEvent } from 'aws-lambda';
import { variable } from '#shared/env';
import { invocation } from '#shared/invocation';
import { SCHEDULE_RUNS } from '#shared/schedules/schedule-run';
import { boundTable, type Table } from '#shared/table/table.dynamodb';
import { putItem } from '#shared/table/writes.dynamodb';
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
  await putItem(table, { pk: SCHEDULE_RUNS, sk: schedule, at });
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

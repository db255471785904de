/**
 * Scheduled every minute: counts dead letters, and fails if a schedule has stopped or if nobody has confirmed the mails of
 * alarms. Alarms watch both, and that it runs.
 */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table/table.dynamodb';
import { DEAD_LETTERS } from '#shared/telemetry/metric-scope';
import { metric } from '#shared/telemetry/metrics';
import { cached } from './cached-load.ts';
import { dailyReports } from './daily-reports.ts';
import { lateSchedules } from './late-schedules.ts';
import { queueCounts } from './queue-counts.sqs.ts';
import { scheduleRuns } from './schedule-runs.dynamodb.ts';
import { outputsOf } from './stack-outputs.cloudformation.ts';
import { unconfirmedTopics } from './subscriptions.sns.ts';
import { type DeadLettersAt, partsIn } from './system-parts.ts';

/** `STACKS` are the names of the stacks, `ALARM_TOPICS` the topics that mail alarms, with commas between them. */
export const Env = z.object({ ACCOUNTS_TABLE: resource, STACKS: resource, ALARM_TOPICS: z.string() });
const env = readEnv(Env);
const runs = scheduleRuns(boundTable(env.ACCOUNTS_TABLE));

/** Outputs change with a deployment alone. */
const PARTS_MILLIS = 10 * 60_000;
const parts = cached(PARTS_MILLIS, async () => partsIn(await outputsOf(env.STACKS.split(','))));

const topics = env.ALARM_TOPICS.split(',').filter((arn) => arn !== '');

export const handler = invocation(async (): Promise<void> => {
  const now = Date.now();
  const { schedules, deadLetters } = await parts(now);
  if (Math.floor(now / 60_000) % DEAD_LETTERS_EVERY_MINUTES === 0) await countDeadLetters(deadLetters, now);
  const late = await lateSchedules(schedules, runs, now);
  if (late.length > 0) throw new Error(`Schedules have stopped: ${late.join(', ')}.`);
  const silent = unreported(await unconfirmed(now), now);
  if (silent.length > 0) throw new Error(`Nobody has confirmed the mails of ${silent.join(', ')}.`);
});

/** Every call is paid for. Alarms look at the last five minutes. */
const DEAD_LETTERS_EVERY_MINUTES = 3;
const TOPICS_MILLIS = 3 * 60_000;
const unconfirmed = cached(TOPICS_MILLIS, () => unconfirmedTopics(topics));

/** An alarm that stayed on would hide the next schedule that stops. */
const unreported = dailyReports();

/** A metric that is written every minute is paid for all month, and zeros add nothing here. */
async function countDeadLetters(queues: readonly DeadLettersAt[], now: number): Promise<void> {
  const counted = await Promise.all(queues.map(async ({ name, url }) => ({ name, ...(await queueCounts(url)) })));
  const letters = counted
    .map(({ name, waiting, inFlight, delayed }) => ({ name, count: waiting + inFlight + delayed }))
    .filter(({ count }) => count > 0);
  if (letters.length === 0) return;
  const value = letters.reduce((sum, { count }) => sum + count, 0);
  metric('dead letters', { values: { [DEAD_LETTERS]: { value, unit: 'Count' } }, facts: { letters } }, now);
}

/** Scheduled every minute: sends a message for every overdue run and reports how late runs are. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { accountsTable, lanes, limitsIn, retention, slotLimits, webhooksTable } from '../environment.ts';
import { pausesIn } from '../pauses/pause.dynamodb.ts';
import { dueRuns } from '../runs/due-runs.dynamodb.ts';
import { parkedRuns } from '../runs/parked-runs.dynamodb.ts';
import { admission } from '../slots/admission.dynamodb.ts';
import { type StartDeps, sweepParked } from './start-parked.ts';
import { reportSweep } from './sweep-metrics.ts';
import { sweepRuns } from './sweep-runs.ts';
import { deliveries } from './tickets.sqs.ts';

export const Env = z.object({ ...accountsTable, ...webhooksTable, ...retention, ...lanes, ...slotLimits });
const env = readEnv(Env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });
const table = boundTable(env.WEBHOOKS_TABLE);
const runs = dueRuns(table, { retentionDays: env.RETENTION_DAYS });
const limits = limitsIn(env);
const starting: StartDeps = {
  parkedRuns: parkedRuns(table),
  admission: admission({ table, limits, chance: Math.random }),
  limits,
  deliveringFrom: pausesIn(env.ACCOUNTS_TABLE, () => Date.now()),
  send: queues.send,
  now: () => Date.now(),
};

/** The length of a sweep; the next one begins a minute after this one. */
const SWEEP_MILLIS = 50_000;

export const handler = scheduled(async () => {
  const until = Date.now() + SWEEP_MILLIS;
  const swept = await sweepRuns({
    runs,
    deliveringFrom: starting.deliveringFrom,
    startParked: (configuration) => sweepParked(starting, configuration),
    sendAll: queues.sendAll,
    queued: queues.queued,
    now: () => Date.now(),
    until,
  });
  reportSweep(swept, Date.now());
  // If the stream is not read, no function fails: only the sweeper notices.
  if (swept.unannounced > 0) countFault();
  // Thrown last, so that the metrics are reported all the same.
  if (swept.failures.length > 0) throw new AggregateError(swept.failures, 'Some runs could not be swept up.');
});

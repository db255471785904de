/** Every minute: sends a message for every run of which nothing was heard in time, and tells how far behind runs are. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { countFault, metric } from '#shared/metrics';
import { boundTable } from '#shared/table.dynamodb';
import { lanes, retention, webhooksTable } from '../environment.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import { sweepRuns } from './sweep-runs.ts';
import { deliveries } from './tickets.sqs.ts';

export const Env = z.object({ ...webhooksTable, ...lanes, ...retention });
const env = readEnv(Env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });
const runs = runStore({ table: boundTable(env.WEBHOOKS_TABLE), retentionDays: env.RETENTION_DAYS });

/** The next sweep begins a minute after this one did. */
const SWEEP_MILLIS = 50_000;

export const handler = invocation(async (): Promise<void> => {
  const until = Date.now() + SWEEP_MILLIS;
  const swept = await sweepRuns({
    runs,
    sendAll: queues.sendAll,
    queued: queues.queued,
    now: () => Date.now(),
    until,
  });
  metric(
    'sweep',
    {
      values: {
        OldestDueRun: { value: Math.round(swept.oldestMillis / 1000), unit: 'Seconds' },
        // A metric that is written every minute is paid for all month; zeros say nothing here.
        ...(swept.sent > 0 && { RunsSweptUp: { value: swept.sent, unit: 'Count' } }),
      },
      facts: { looked: swept.looked, unheard: swept.unheard, isCut: swept.isCut },
    },
    new Date(),
  );
  // Where the stream is not read, no function fails: this is the only place that sees it.
  if (swept.unheard > 0) countFault();
  // Last, so that the metrics are told all the same.
  if (swept.failures.length > 0) throw new AggregateError(swept.failures, 'Some runs could not be swept up.');
});

/** Every minute: sends a message for every run that has fallen silent, and reports how far behind runs are. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { metric } from '#shared/metrics';
import { boundTable } from '#shared/table.dynamodb';
import { lanes, webhooksTable } from '../environment.ts';
import { dueRuns } from '../runs/due-runs.dynamodb.ts';
import { sweepRuns } from './sweep-runs.ts';
import { deliveries } from './tickets.sqs.ts';

export const Env = z.object({ ...webhooksTable, ...lanes });
const env = readEnv(Env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });
const runs = dueRuns(boundTable(env.WEBHOOKS_TABLE));

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
        RunsSweptUp: { value: swept.sent, unit: 'Count' },
      },
      facts: { looked: swept.looked, isCut: swept.isCut },
    },
    Date.now(),
  );
  // Thrown last, so that the metrics are reported all the same.
  if (swept.failures.length > 0) throw new AggregateError(swept.failures, 'Some runs could not be swept up.');
});

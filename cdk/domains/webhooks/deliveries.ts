import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type * as DeliverRun from '../../../functions/webhooks/deliver-run.handler.ts';
import type * as DispatchRuns from '../../../functions/webhooks/dispatch-runs.handler.ts';
import type * as SweepRuns from '../../../functions/webhooks/sweep-runs.handler.ts';
import { alarm } from '../../constructs/alarms.ts';
import { allowsIndex, allowsKeys, sendsTo, setting } from '../../constructs/bindings.ts';
import { everyMinute } from '../../constructs/every-minute.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { serviceMetric } from '../../constructs/service-metric.ts';
import { TableStream } from '../../constructs/table-stream.ts';
import { WorkQueue } from '../../constructs/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { WebhooksProps } from './webhooks-data.ts';

/** Of one function, which waits for endpoints most of its time. With many more, they would slow down one another. */
const ATTEMPTS_AT_A_TIME = 5;

/** From a run to its endpoint: what announces runs, the two lanes, and the sweeper. */
export function addDeliveries(scope: Construct, { data: { table, secrets } }: WebhooksProps): void {
  const settings = settingsOf(scope);
  const retention = setting(settings.webhookRetentionDays);
  const waiting = 'Webhooks go out late.';
  // The longest attempt, 120 s, and what is written before and after it.
  const longest = 140;
  const fast = new WorkQueue(scope, 'FastDeliveries', { workerTimeoutSeconds: longest, ifItFails: waiting });
  const slow = new WorkQueue(scope, 'SlowDeliveries', { workerTimeoutSeconds: longest, ifItFails: waiting });
  const sendsDeliveries = { FAST_QUEUE: sendsTo(fast.queue), SLOW_QUEUE: sendsTo(slow.queue) };

  const dispatchRuns = new ServiceFunction<DispatchRuns.Env>(scope, 'DispatchRuns', {
    handlerOf: 'webhooks/dispatch-runs',
    timeoutSeconds: 30,
    bindings: sendsDeliveries,
    ifItFails: 'Webhooks go out a minute late, when the sweeper finds them.',
  });
  new TableStream(scope, 'Runs', {
    table,
    reader: dispatchRuns,
    filters: [{ dynamodb: { NewImage: { sk: { S: ['RUN'] }, announces: { N: [{ exists: true }] } } } }],
    ifItFails: 'Webhooks go out a minute late, when the sweeper finds them.',
  });

  for (const [lane, queue] of Object.entries({ fast, slow })) {
    const deliverRun = new ServiceFunction<DeliverRun.Env>(scope, lane === 'fast' ? 'DeliverFast' : 'DeliverSlow', {
      handlerOf: 'webhooks/deliver-run',
      sendsToItself: true,
      memoryMiB: 256,
      timeoutSeconds: longest,
      bindings: {
        // What calls the outside can change runs, and nothing that says where they go.
        WEBHOOKS_TABLE: allowsKeys(
          table,
          { actions: ['GetItem', 'PutItem', 'UpdateItem'], prefixes: ['RUN#', 'LOAD#'] },
          { actions: ['GetItem'], prefixes: ['CONFIGURATION#'] },
        ),
        ...sendsDeliveries,
        LANE: setting(lane),
        SECRETS_KEY: secrets.decrypts(),
        RETENTION_DAYS: retention,
        ATTEMPTS_PER_CONFIGURATION: setting(settings.attemptsPerConfiguration),
        PRIVATE_TARGETS: setting(settings.webhookPrivateTargets),
        EXTRA_CA_FILE: setting(settings.webhookExtraCaFile),
      },
      ifItFails: waiting,
    });
    queue.workedOnBy(deliverRun, { batchSize: ATTEMPTS_AT_A_TIME, maxConcurrency: settings.deliveryConcurrency });
  }

  const sweepRuns = new ServiceFunction<SweepRuns.Env>(scope, 'SweepRuns', {
    handlerOf: 'webhooks/sweep-runs',
    timeoutSeconds: 58,
    bindings: {
      WEBHOOKS_TABLE: allowsIndex(table, 'Due', 'BatchGetItem', 'UpdateItem'),
      FAST_QUEUE: fast.countsAndSends(),
      SLOW_QUEUE: slow.countsAndSends(),
      RETENTION_DAYS: retention,
    },
    ifItFails: 'Retries after more than 15 minutes do not happen, and nobody mends what a crash left behind.',
  });
  everyMinute(scope, 'EveryMinute', sweepRuns, 'Looks at runs of which nothing was heard in time.');
  alarm(scope, 'OldestDueRunAlarm', {
    metric: serviceMetric(scope, {
      service: sweepRuns.service,
      metricName: 'OldestDueRun',
      period: Duration.minutes(5),
      statistic: 'Maximum',
    }),
    above: 300,
    silenceIsBad: true,
    meaning: 'Webhooks that are due have been waiting for more than five minutes, or nobody looks.',
  });
}

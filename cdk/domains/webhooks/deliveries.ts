import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { RUN_ITEM } from '../../../functions/webhooks/table-keys.ts';
import { addAlarm } from '../../constructs/alarms/alarms.ts';
import { serviceMetric } from '../../constructs/alarms/service-metric.ts';
import type { FixedEgress } from '../../constructs/fixed-egress.ts';
import { countsAndSends, sendsTo, setting, worksOn } from '../../constructs/functions/bindings.ts';
import { localParameter } from '../../constructs/functions/local-parameter.ts';
import { everyMinute } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableStream } from '../../constructs/functions/table-stream.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/**
 * The messages per function, which spends most of its time waiting for endpoints. With many more, attempts would slow
 * each other down.
 */
const ATTEMPTS_AT_A_TIME = 5;
/** The longest attempt, 120 s, and what is written before and after it. */
const DELIVERY_SECONDS = 140;

/** The alarm measures how late runs are (five minutes). An old message by itself is harmless. */
const lane = { workerTimeoutSeconds: DELIVERY_SECONDS, hasOwnBacklogAlarm: true };

interface Lanes {
  readonly fast: WorkQueue;
  readonly slow: WorkQueue;
}

/** The delivery of runs: the stream that dispatches them, the two lanes, and the sweeper. */
export function addDeliveries(scope: Construct, on: Foundations, egress: FixedEgress | undefined): void {
  const lanes: Lanes = {
    fast: new WorkQueue(scope, 'FastDeliveries', lane),
    slow: new WorkQueue(scope, 'SlowDeliveries', lane),
  };
  addDispatcher(scope, on, lanes);
  addWorkers(scope, on, { lanes, egress });
  addSweeper(scope, on, lanes);
}

const sendsTickets = ({ fast, slow }: Lanes) => ({ FAST_QUEUE: sendsTo(fast.queue), SLOW_QUEUE: sendsTo(slow.queue) });

function slots(scope: Construct) {
  const { attemptsPerConfiguration, attemptsWhileSilent } = settingsOf(scope);
  return {
    ATTEMPTS_PER_CONFIGURATION: setting(attemptsPerConfiguration),
    ATTEMPTS_WHILE_SILENT: setting(attemptsWhileSilent),
  };
}

function addDispatcher(scope: Construct, { data: { webhooks } }: Foundations, lanes: Lanes) {
  const dispatchRuns = new ServiceFunction(scope, 'webhooks/deliveries/dispatch-runs', {
    isBusy: true,
    timeoutSeconds: 30,
    bindings: sendsTickets(lanes),
    ifItFails: 'Webhooks go out a minute late, when the sweeper finds them.',
  });
  const run: typeof RUN_ITEM = 'RUN';
  new TableStream(scope, 'RunChanges', {
    table: webhooks.table,
    reader: dispatchRuns,
    filters: [{ dynamodb: { NewImage: { sk: { S: [run] }, dispatchAttempt: { N: [{ exists: true }] } } } }],
  });
}

interface WorkersProps {
  readonly lanes: Lanes;
  readonly egress: FixedEgress | undefined;
}

function addWorkers(scope: Construct, { data: { accounts, webhooks } }: Foundations, { lanes, egress }: WorkersProps) {
  const settings = settingsOf(scope);
  for (const [lane, queue] of Object.entries(lanes)) {
    const deliverRun = new ServiceFunction(scope, 'webhooks/deliveries/deliver-run', {
      id: lane === 'fast' ? 'DeliverFast' : 'DeliverSlow',
      isBusy: true,
      egress,
      sendsToItself: true,
      memoryMiB: 256,
      timeoutSeconds: DELIVERY_SECONDS,
      bindings: {
        ...sendsTickets(lanes),
        // A message comes again soon after its worker has died.
        [`${lane.toUpperCase()}_QUEUE`]: worksOn(queue.queue),
        ACCOUNTS_TABLE: accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }),
        // The function that calls endpoints can change runs, but nothing that says where they go.
        WEBHOOKS_TABLE: webhooks.table.allows(
          {
            'RUN#': ['GetItem', 'PutItem', 'UpdateItem'],
            'LOAD#': ['GetItem', 'UpdateItem'],
            'CONFIGURATION#': ['GetItem'],
          },
          { indexes: { Parked: 'PARKED#' } },
        ),
        LANE: setting(lane),
        SECRETS_KEY: webhooks.secrets.decrypts(),
        RETENTION_DAYS: setting(settings.webhookRetentionDays),
        ...slots(scope),
        PRIVATE_TARGETS: setting(localParameter(scope, 'WebhookPrivateTargets', '')),
        EXTRA_CA_FILE: setting(localParameter(scope, 'WebhookExtraCaFile', '')),
      },
      ifItFails: 'Webhooks go out late.',
    });
    queue.workedOnBy(deliverRun, { batchSize: ATTEMPTS_AT_A_TIME, maxConcurrency: settings.deliveryConcurrency });
  }
}

function addSweeper(scope: Construct, { data: { accounts, webhooks }, edge }: Foundations, { fast, slow }: Lanes) {
  const sweepRuns = new ServiceFunction(scope, 'webhooks/deliveries/sweep-runs', {
    isCalledEveryMinute: true,
    timeoutSeconds: 58,
    bindings: {
      ACCOUNTS_TABLE: accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }),
      RETENTION_DAYS: setting(settingsOf(scope).webhookRetentionDays),
      WEBHOOKS_TABLE: webhooks.table.allows(
        { 'RUN#': ['BatchGetItem', 'UpdateItem'], 'LOAD#': ['GetItem', 'UpdateItem'] },
        { indexes: { Due: 'DUE#', Parked: 'PARKED#' } },
      ),
      ...slots(scope),
      FAST_QUEUE: countsAndSends(fast.queue),
      SLOW_QUEUE: countsAndSends(slow.queue),
    },
    ifItFails: 'Retries after more than 15 minutes do not happen, and what a crash left behind is not repaired.',
  });
  everyMinute(scope, 'SweepEveryMinute', sweepRuns, 'Looks at runs that have fallen silent.');
  addAlarm(scope, 'OldestDueRunAlarm', {
    topic: edge.alarmTopics.pages,
    metric: serviceMetric(scope, {
      service: sweepRuns.service,
      metricName: 'OldestDueRun',
      period: Duration.minutes(5),
      statistic: 'Maximum',
    }),
    above: 300,
    meaning: 'Webhooks that are due have been waiting for more than five minutes.',
    runbook: 'Oldest due run',
    dueWork: 'Runs',
  });
}

import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { METER_UNANSWERED } from '#shared/telemetry/metric-scope';
import { type AlarmTopics, addAlarm } from '../../constructs/alarms/alarms.ts';
import { countIfAbove } from '../../constructs/alarms/edge-alarms.ts';
import { serviceMetric } from '../../constructs/alarms/service-metric.ts';
import { reads, sendsTo, setting } from '../../constructs/functions/bindings.ts';
import type { WorkQueue } from '../../constructs/functions/work-queue.ts';
import type { PublicApi } from '../../constructs/public-api.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** A connection breaks now and then. */
const UNANSWERED_SHARE = 0.001;
const UNANSWERED_REQUESTS = 10;

const METERED = [
  'conversions/convert/convert',
  'conversions/normalize/normalize',
  'conversions/validate/validate',
  'conversions/enrich/enrich',
] as const;

/** The routes below /v1: the four metered ones, usage, and what answers all other paths. */
export function addRoutes(
  scope: Construct,
  { data, edge: { api, alarmTopics } }: Foundations,
  lateUsage: WorkQueue,
): void {
  const { meterCallMillis, meterRequestMillis } = settingsOf(scope);
  const { table } = data.conversions;
  const common = {
    ACCOUNTS_TABLE: data.accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }),
    KEY_SECRETS: reads(data.conversions.keySecrets),
    LATE_USAGE_QUEUE: sendsTo(lateUsage.queue),
    METER_CALL_MILLIS: setting(meterCallMillis),
    METER_REQUEST_MILLIS: setting(meterRequestMillis),
  };
  // Taking a token may be what moves an account into its next period, or into its next day.
  const metersRate = {
    'METER#': ['GetItem', 'UpdateItem'],
    // A write notes the last use.
    'CREDENTIAL#': ['GetItem', 'UpdateItem'],
    'PERIOD#': ['UpdateItem'],
    'USAGE#': ['UpdateItem'],
    'ANNOUNCEMENT#': ['PutItem'],
  } as const;
  const rateOnly = { ...common, CONVERSIONS_TABLE: table.allows(metersRate) };
  const metered = {
    ...common,
    CONVERSIONS_TABLE: table.allows({ ...metersRate, 'ANSWER#': ['PutItem', 'UpdateItem', 'DeleteItem'] }),
  };
  for (const handler of METERED) {
    api.serve(scope, handler, {
      isHot: true,
      memoryMiB: 1_024,
      timeoutSeconds: 10,
      bindings: metered,
      ifItFails: `Callers of POST /v1/${handler.split('/').at(-1)} get errors; such calls are not counted.`,
    });
  }
  api.serve(scope, 'conversions/usage/usage', {
    bindings: rateOnly,
    ifItFails: 'Callers cannot see what they have used.',
  });
  api.serve(scope, 'conversions/unknown-routes/unknown-routes', {
    bindings: rateOnly,
    ifItFails: 'Callers who mistype a path below /v1 get an unclear answer.',
  });
  api.serve(scope, 'conversions/oauth/token', {
    bindings: rateOnly,
    ifItFails: 'Test clients get no new access tokens; those that they have work for a quarter of an hour.',
  });
  addMeterAlarm(scope, api, alarmTopics);
}

function addMeterAlarm(scope: Construct, api: PublicApi, { tickets }: AlarmTopics): void {
  addAlarm(scope, 'MeterUnansweredAlarm', {
    topic: tickets,
    metric: countIfAbove(
      api,
      UNANSWERED_SHARE,
      serviceMetric(scope, {
        service: 'conversions',
        metricName: METER_UNANSWERED,
        period: Duration.minutes(5),
        statistic: 'Sum',
      }),
    ),
    above: UNANSWERED_REQUESTS,
    meaning:
      'The table of the meter often does not answer: requests are served and counted later, a few of them twice or not at all.',
    runbook: 'Unanswered metering',
  });
}

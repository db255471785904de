import { Duration, type Stack } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { ALL_DOMAINS, DEAD_LETTERS, TABLE_THROTTLES } from '#shared/telemetry/metric-scope';
import { settingsOf } from '../../settings.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { PublicApi } from '../public-api.ts';
import { type AlarmTopics, addAlarm, ERROR_SHARE, PERIOD, reportedErrors, workerErrors } from './alarms.ts';
import { metricScopeOf, serviceMetric } from './service-metric.ts';

interface EdgeAlarmOptions {
  readonly api: PublicApi;
  readonly topics: AlarmTopics;
  /** WatchSystem: checks every minute what no free metric of AWS shows. */
  readonly watch: ServiceFunction;
}

/** Alarms on what callers of the API see, whichever function answers, on the account's own limit, and on what the watch sees. */
export function addEdgeAlarms(stack: Stack, { api, topics, watch }: EdgeAlarmOptions): void {
  addErrorAlarms(stack, api, topics);
  addLoadAlarms(stack, api, topics);
  addTableAlarm(stack, topics);
  addWatchAlarms(stack, watch, topics);
  addMailAlarm(stack, topics);
  if (!settingsOf(stack).warnsEarly) return;
  addAlarm(stack, 'ThrottlesAlarm', {
    topic: topics.pages,
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', period: PERIOD, statistic: 'Sum' }),
    meaning: 'Functions of this account are throttled: callers get errors, and work waits.',
    runbook: 'Throttles',
  });
}

const apiMetric = ({ apiId }: PublicApi, metricName: string, statistic = 'Sum') =>
  new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap: { ApiId: apiId }, period: PERIOD, statistic });

/** The number of these requests in a period; 0 unless they exceed this share of all requests. */
export const countIfAbove = (api: PublicApi, share: number, counted: Metric) =>
  new MathExpression({
    expression: `IF(counted > ${share} * requests, counted, 0)`,
    usingMetrics: { counted, requests: apiMetric(api, 'Count') },
    period: PERIOD,
  });

/** A page goes out above this share of errors, and above more errors than a single broken client causes. */
const OUTAGE_SHARE = 0.05;
const OUTAGE_ERRORS = 20;

function addErrorAlarms(stack: Stack, api: PublicApi, { pages, tickets }: AlarmTopics): void {
  addAlarm(stack, 'ApiErrorsAlarm', {
    topic: tickets,
    metric: countIfAbove(api, ERROR_SHARE, apiMetric(api, '5xx')),
    meaning: 'Callers of the API get 5xx answers: the access log names the route, and with it the domain.',
    runbook: 'API errors',
  });
  addAlarm(stack, 'ApiOutageAlarm', {
    topic: pages,
    metric: countIfAbove(api, OUTAGE_SHARE, apiMetric(api, '5xx')),
    above: OUTAGE_ERRORS,
    meaning: 'More than one of twenty callers of the API gets a 5xx answer.',
    runbook: 'API errors',
  });
}

/** Tenants that exceed the rate of their plan get 429 too, so only a large share of all requests raises an alarm. */
const REFUSED_SHARE = 0.2;
const REFUSED_REQUESTS = 100;
/** The alarm ignores periods with fewer requests, whose percentile means nothing. */
const MEASURED_REQUESTS = 1_000;
const SLOW_MILLIS = 3_000;

function addLoadAlarms(stack: Stack, api: PublicApi, { tickets }: AlarmTopics): void {
  const { namespace: metricNamespace } = metricScopeOf(stack, 'edge');
  const metricName = 'TooManyRequests';
  new MetricFilter(stack, 'RefusedRequests', {
    logGroup: api.accessLogs,
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace,
    metricName,
  });
  const refused = new Metric({ namespace: metricNamespace, metricName, period: PERIOD, statistic: 'Sum' });
  addAlarm(stack, 'RefusedRequestsAlarm', {
    topic: tickets,
    metric: countIfAbove(api, REFUSED_SHARE, refused),
    above: REFUSED_REQUESTS,
    meaning: 'More than one of five callers of the API gets 429: a flood, or a throttle that is too low.',
    runbook: 'Refused requests',
  });
  addAlarm(stack, 'SlowAnswersAlarm', {
    topic: tickets,
    metric: new MathExpression({
      expression: `IF(requests > ${MEASURED_REQUESTS}, latency, 0)`,
      usingMetrics: { requests: apiMetric(api, 'Count'), latency: apiMetric(api, 'Latency', 'p99') },
      period: PERIOD,
    }),
    above: SLOW_MILLIS,
    meaning: 'One of a hundred callers of the API waits for more than three seconds.',
    runbook: 'Slow answers',
  });
}

function addMailAlarm(stack: Stack, { tickets }: AlarmTopics): void {
  if (settingsOf(stack).mailFrom === '') return;
  addAlarm(stack, 'BouncedMailsAlarm', {
    topic: tickets,
    metric: new Metric({ namespace: 'AWS/SES', metricName: 'Bounce', period: PERIOD, statistic: 'Sum' }),
    meaning: 'Mails of this account come back: people do not get them, and SES stops senders with many of these.',
    runbook: 'Bounced mails',
  });
}

/** The SDK retries throttled calls, so a few of them only cost time. */
const TABLE_THROTTLES_MAX = 50;

function addTableAlarm(stack: Stack, { tickets }: AlarmTopics): void {
  addAlarm(stack, 'TableThrottlesAlarm', {
    topic: tickets,
    metric: serviceMetric(stack, {
      service: ALL_DOMAINS,
      metricName: TABLE_THROTTLES,
      period: PERIOD,
      statistic: 'Sum',
    }),
    above: TABLE_THROTTLES_MAX,
    meaning: 'DynamoDB throttles a table: callers wait longer, and some get errors.',
    runbook: 'Table throttles',
  });
}

function addWatchAlarms(stack: Stack, watch: ServiceFunction, { pages, tickets }: AlarmTopics): void {
  addAlarm(stack, 'SchedulesAlarm', {
    topic: pages,
    otherTopic: tickets,
    metric: reportedErrors(stack, workerErrors(stack, watch.service), [watch]),
    meaning:
      'A schedule of some domain has stopped, or nobody has confirmed the mails of alarms, or WatchSystem of the edge, which checks both, fails.',
    runbook: 'Schedules',
  });
  addAlarm(stack, 'WatchAlarm', {
    topic: pages,
    metric: watch.metricInvocations({ period: Duration.minutes(1), statistic: 'Sum' }),
    isDeadMansSwitch: true,
    meaning: 'WatchSystem of the edge does not run: stopped schedules and dead letters raise no alarm.',
    runbook: 'Schedules',
  });
  addAlarm(stack, 'DeadLettersAlarm', {
    topic: tickets,
    metric: serviceMetric(stack, {
      service: watch.service,
      metricName: DEAD_LETTERS,
      period: PERIOD,
      statistic: 'Maximum',
    }),
    meaning: 'Work was given up after several tries and is in a dead-letter queue.',
    runbook: 'Dead letters',
  });
}

import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { FAULTS, METER_UNANSWERED, REFUSED_SIGN_INS, STRAY_FAULTS } from '#shared/telemetry/metric-scope';
import { type DomainName, stageOf } from '../../settings.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import { WorkQueue } from '../functions/work-queue.ts';
import { busyWorkerErrors, PERIOD, workerErrors } from './alarms.ts';
import { metricScopeOf, serviceMetric } from './service-metric.ts';

export interface DashboardOptions {
  readonly domain: DomainName;
  /** The name of the domain's table. */
  readonly tableName: string;
}

/** Half of the width of a dashboard. */
const HALF = 12;

/** Shows what the runbook looks at in one domain, in its order: alarms, faults, queues, functions, executions, the table. */
export function addDashboard(stack: Stack, { domain, tableName }: DashboardOptions): void {
  const alarms = stack.node.findAll().filter((one) => one instanceof Alarm);
  const graphs: readonly (readonly [string, readonly IMetric[]])[] = [
    ['Faults', ownMetrics(stack, domain)],
    ['Errors of functions', errors(stack)],
    ['Messages that wait', queues(stack).map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible(MOST))],
    [
      'Dead letters',
      queues(stack).map(({ deadLetters }) => deadLetters.metricApproximateNumberOfMessagesVisible(MOST)),
    ],
    ['Executions', machines(stack).flatMap((one) => [one.metricStarted(SUM), one.metricFailed(SUM)])],
    ['Table', tableMetrics(tableName)],
  ];
  new Dashboard(stack, 'Dashboard', {
    dashboardName: `five-services-${stageOf(stack)}-${domain}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      [new AlarmStatusWidget({ title: `Alarms of ${domain}`, alarms, width: 2 * HALF })],
      graphs.flatMap(([title, metrics]) => (metrics.length > 0 ? [graph(title, metrics)] : [])),
    ],
  });
}

const SUM = { period: PERIOD, statistic: 'Sum' };
const MOST = { period: PERIOD, statistic: 'Maximum' };

const graph = (title: string, left: readonly IMetric[]): IWidget =>
  new GraphWidget({ title, left: [...left], width: HALF });

const functions = (stack: Stack) => stack.node.findAll().filter((one) => one instanceof ServiceFunction);
const queues = (stack: Stack) => stack.node.findAll().filter((one) => one instanceof WorkQueue);
const machines = (stack: Stack) => stack.node.findAll().filter((one) => one instanceof StateMachine);

const errors = (stack: Stack): IMetric[] =>
  functions(stack).map((one) => one.metricErrors({ ...SUM, label: one.node.id }));

/** The outcomes of attempts on the dashboard; the log has the others. */
const OUTCOMES = ['succeeded', 'http_status', 'timeout'];

function ownMetrics(stack: Stack, domain: DomainName): IMetric[] {
  const own = (metricName: string, statistic = 'Sum') =>
    serviceMetric(stack, { service: domain, metricName, statistic, period: PERIOD });
  const { namespace, dimensions } = metricScopeOf(stack, domain);
  const attempts = OUTCOMES.map(
    (outcome) =>
      new Metric({ ...SUM, namespace, metricName: 'WebhookAttempts', dimensionsMap: { ...dimensions, outcome } }),
  );
  const workers = functions(stack).filter(({ isWorker }) => isWorker);
  const more: Readonly<Partial<Record<DomainName, readonly IMetric[]>>> = {
    webhooks: [own('OldestDueRun', 'Maximum'), own('RunsSweptUp'), ...attempts],
    conversions: [own(METER_UNANSWERED)],
    console: [own(REFUSED_SIGN_INS)],
  };
  return [
    own(FAULTS),
    own(STRAY_FAULTS),
    ...(workers.some(({ isBusy }) => !isBusy) ? [countedMetric(workerErrors(stack, domain))] : []),
    ...(workers.some(({ isBusy }) => isBusy) ? [countedMetric(busyWorkerErrors(stack, domain))] : []),
    ...(more[domain] ?? []),
  ];
}

const countedMetric = ({ metricNamespace: namespace, metricName }: ReturnType<typeof workerErrors>): IMetric =>
  new Metric({ ...SUM, namespace, metricName });

function tableMetrics(TableName: string): IMetric[] {
  const table = (metricName: string, statistic: string, more = {}) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      statistic,
      period: PERIOD,
      dimensionsMap: { TableName, ...more },
    });
  return [
    table('ReadThrottleEvents', 'Sum'),
    table('WriteThrottleEvents', 'Sum'),
    table('SuccessfulRequestLatency', 'p99', { Operation: 'UpdateItem' }),
  ];
}

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { FAULTS } from '#shared/telemetry/metric-scope';
import type { ALARM, DUE_WORK } from '../../../functions/edge/system/system-parts.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import { WorkQueue } from '../functions/work-queue.ts';
import type { AlarmTopic } from './alarm-topic.ts';
import { metricScopeOf, serviceMetric } from './service-metric.ts';

/** Alarms evaluate one period of this length, except dead man's switches (`addAlarm`). */
export const PERIOD = Duration.minutes(5);

/** The topics of alarms, by urgency. */
export interface AlarmTopics {
  /** Pages the operator on call: callers are affected now. */
  readonly pages: AlarmTopic;
  /** Opens a ticket: the alarm can wait for a working day. */
  readonly tickets: AlarmTopic;
}

export interface AlarmOptions {
  readonly topic: ITopic;
  /** A second topic, for failures that may keep the first one from reaching anybody. @default none */
  readonly otherTopic?: ITopic;
  readonly metric: IMetric;
  /** The value in one period above which the alarm goes off. @default 0 */
  readonly above?: number;
  /** The alarm goes off where the metric has no value above `above`, or none at all. @default false */
  readonly isDeadMansSwitch?: boolean;
  /** The people affected, as a full sentence. */
  readonly meaning: string;
  /** The heading of its section in the runbook, `cdk/README.md`. */
  readonly runbook: string;
  /**
   * The metric is the age of the oldest work that is due, in seconds: operators see it under this name. @default it is
   * not
   */
  readonly dueWork?: string;
}

/** An alarm that goes to the operator. Missing data is no fault by default: idle functions report nothing. */
export function addAlarm(scope: Construct, id: string, options: AlarmOptions): Alarm {
  const { topic, otherTopic, metric, above = 0, isDeadMansSwitch = false, meaning, runbook, dueWork } = options;
  const alarm = new Alarm(scope, id, {
    metric,
    alarmDescription: `${meaning} Runbook: cdk/README.md, ${runbook}`,
    comparisonOperator: isDeadMansSwitch
      ? ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD
      : ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: above,
    // CloudWatch waits for late data in some more periods before it counts as missing.
    evaluationPeriods: isDeadMansSwitch ? 2 : 1,
    treatMissingData: isDeadMansSwitch ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  for (const one of otherTopic ? [topic, otherTopic] : [topic]) {
    alarm.addAlarmAction(new SnsAction(one));
    alarm.addOkAction(new SnsAction(one));
  }
  const [named, due]: [typeof ALARM, typeof DUE_WORK] = ['Alarm', 'DueWork'];
  new CfnOutput(Stack.of(scope), `${named}${id.replace(/Alarm$/, '')}`, { value: alarm.alarmName });
  if (dueWork !== undefined) new CfnOutput(Stack.of(scope), `${due}${dueWork}`, { value: alarm.alarmName });
  return alarm;
}

/** The most metrics that CloudWatch takes in one alarm. */
const METRICS_MAX = 10;

/** The alarms of every domain, on the functions and queues that are found in its stack. @returns the one on its faults */
export function addDomainAlarms(stack: Stack, { domain, topic }: { domain: string; topic: ITopic }): Alarm {
  const all = stack.node.findAll();
  const queues = all.filter((one) => one instanceof WorkQueue);
  const workers = all.filter((one) => one instanceof ServiceFunction).filter((one) => one.isWorker);
  const busy = workers.filter(({ isBusy }) => isBusy);
  const others = workers.filter(({ isBusy }) => !isBusy);
  const faults = addAlarm(stack, 'FaultsAlarm', {
    topic,
    metric: serviceMetric(stack, { service: domain, metricName: FAULTS, period: PERIOD, statistic: 'Sum' }),
    meaning: `Server faults in ${domain}: requests answered with 500, or messages that failed or were lost.`,
    runbook: 'Faults',
  });
  if (others.length > 0) {
    addAlarm(stack, 'WorkerErrorsAlarm', {
      topic,
      metric: reportedErrors(stack, workerErrors(stack, domain), others),
      meaning: `Workers of ${domain} fail as a whole, called by queues, streams, schedules or executions, or executions fail: time, memory, or a bug.`,
      runbook: 'Worker errors',
    });
  }
  if (busy.length > 0) {
    addAlarm(stack, 'BusyWorkerErrorsAlarm', {
      topic,
      metric: new MathExpression({
        expression: `IF(errors > ${ERROR_SHARE} * calls, errors, 0)`,
        usingMetrics: {
          errors: reportedErrors(stack, busyWorkerErrors(stack, domain), busy),
          calls: reportedCalls(stack, domain, busy),
        },
        period: PERIOD,
      }),
      meaning: `More than one of a thousand calls of the busiest workers of ${domain} fail: time, memory, or a bug.`,
      runbook: 'Worker errors',
    });
  }
  // If Lambda loses the permission to read a queue, no function is called, so none fails: only this alarm notices.
  addJoined(stack, 'OldestWorkAlarm', {
    topic,
    metrics: queues
      .filter(({ hasOwnBacklogAlarm }) => !hasOwnBacklogAlarm)
      .map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' })),
    expression: 'MAX(FILL(METRICS(), 0))',
    above: OLDEST_WORK_SECONDS,
    meaning: `Work of ${domain} has been waiting for more than an hour.`,
    runbook: 'Oldest work',
  });
  return faults;
}

/** An alarm goes off above this share of failed calls. With little traffic that is the first failed call; with much, a single one is below it. */
export const ERROR_SHARE = 0.001;

const OLDEST_WORK_SECONDS = 3_600;

/** Lambda's report of a call that ended without an answer; also if the function could not be loaded. */
const FAILED_CALL = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.stringValue('$.record.status', '!=', 'success'),
);

interface WorkerErrors {
  readonly metricNamespace: string;
  readonly metricName: string;
}

/** Names the metric of the failed calls of a domain's workers, and of its executions. */
export function workerErrors(scope: Construct, domain: string): WorkerErrors {
  return { metricNamespace: metricScopeOf(scope, domain).namespace, metricName: `WorkerErrors-${domain}` };
}

/** Names the metric of the failed calls of the busiest workers. */
export function busyWorkerErrors(scope: Construct, domain: string): WorkerErrors {
  return { ...workerErrors(scope, domain), metricName: `BusyWorkerErrors-${domain}` };
}

/**
 * The failed calls of these workers as one metric, counted from their logs. Lambda has an error metric for each function,
 * and an alarm costs more with every metric that it reads. An hour without a failed call costs nothing.
 */
export function reportedErrors(stack: Stack, name: WorkerErrors, workers: readonly ServiceFunction[]): Metric {
  const { metricNamespace, metricName } = name;
  for (const worker of workers) {
    new MetricFilter(worker, 'Errors', {
      logGroup: worker.logGroup,
      filterPattern: FAILED_CALL,
      metricNamespace,
      metricName,
    });
  }
  return new Metric({ namespace: metricNamespace, metricName, period: PERIOD, statistic: 'Sum' });
}

/** All calls of these workers. Like the failed ones, they are one metric, which has data where any of the workers is called. */
function reportedCalls(stack: Stack, domain: string, workers: readonly ServiceFunction[]): Metric {
  const { namespace: metricNamespace } = metricScopeOf(stack, domain);
  const metricName = `BusyWorkerCalls-${domain}`;
  for (const worker of workers) {
    const filterPattern = FilterPattern.stringValue('$.type', '=', 'platform.report');
    new MetricFilter(worker, 'Calls', { logGroup: worker.logGroup, filterPattern, metricNamespace, metricName });
  }
  return new Metric({ namespace: metricNamespace, metricName, period: PERIOD, statistic: 'Sum' });
}

interface JoinedOptions extends Omit<AlarmOptions, 'metric'> {
  readonly metrics: readonly Metric[];
  /** The expression over all metrics. */
  readonly expression: string;
}

/** One alarm over several metrics; no alarm without metrics. */
function addJoined(scope: Construct, id: string, { metrics, expression, ...options }: JoinedOptions): void {
  if (metrics.length === 0) return;
  if (metrics.length > METRICS_MAX)
    throw new Error(`${id} has more than the ${METRICS_MAX} metrics that an alarm takes.`);
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  addAlarm(scope, id, { ...options, metric: new MathExpression({ expression, usingMetrics, period: PERIOD }) });
}

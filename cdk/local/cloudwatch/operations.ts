/** The operations of CloudWatch. Each names the permissions that it needs, and answers once they are given. */
import type { z } from 'zod';
import type { NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type Operations, operationsOf } from '../endpoint/json-service.ts';
import type { Alarm, Alarms } from './alarms.ts';
import { type Metric, statisticOf } from './metric.ts';
import type { MetricStore } from './metric-store.ts';
import { type Period, periods } from './periods.ts';
import { type Query, REQUESTS } from './request.ts';

export interface CloudWatchParts {
  readonly store: MetricStore;
  readonly alarms: Alarms;
  /** `arn:aws:cloudwatch:REGION:ACCOUNT:alarm:` */
  readonly alarmArnPrefix: string;
}

const METRICS_SHOWN_MAX = 500;

const operation = operationsOf<CloudWatchParts>('InvalidParameterValueException');

export const OPERATIONS: Operations<CloudWatchParts> = {
  DescribeAlarms: operation(REQUESTS.DescribeAlarms, (parts, request) => ({
    permissions: (request.AlarmNames ?? ['*']).map((name) => ofAlarm('DescribeAlarms', name, parts)),
    answer: () => describeAlarms(parts, request),
  })),

  SetAlarmState: operation(REQUESTS.SetAlarmState, (parts, { AlarmName, StateValue, StateReason }) => ({
    permissions: [ofAlarm('SetAlarmState', AlarmName, parts)],
    answer: () => {
      if (parts.alarms.set(AlarmName, StateValue, StateReason)) return {};
      throw new CallRefusal(404, 'ResourceNotFound', `There is no alarm ${AlarmName}.`);
    },
  })),

  ListMetrics: operation(REQUESTS.ListMetrics, (parts, request) => ({
    permissions: [{ action: 'cloudwatch:ListMetrics', resource: '*' }],
    answer: () => listMetrics(parts, request),
  })),

  GetMetricStatistics: operation(REQUESTS.GetMetricStatistics, (parts, request) => ({
    permissions: [{ action: 'cloudwatch:GetMetricStatistics', resource: '*' }],
    answer: () => {
      const metric = metricOf(request);
      const Unit = parts.store.unitOf(metric);
      const datapointOf = ({ from, samples }: Period) => ({
        Timestamp: from / 1000,
        Unit,
        ...Object.fromEntries(request.Statistics.map((statistic) => [statistic, statisticOf(samples, statistic)])),
      });
      return { Label: request.MetricName, Datapoints: periods(parts.store, metric, spanOf(request)).map(datapointOf) };
    },
  })),

  GetMetricData: operation(REQUESTS.GetMetricData, (parts, { MetricDataQueries, ScanBy, StartTime, EndTime }) => ({
    permissions: [{ action: 'cloudwatch:GetMetricData', resource: '*' }],
    answer: () => {
      const results = MetricDataQueries.filter(({ ReturnData }) => ReturnData).map((query) => {
        const datapoints = dataOf(parts, query, { StartTime, EndTime });
        return resultOf(query, ScanBy === 'TimestampAscending' ? datapoints : datapoints.reverse());
      });
      return { MetricDataResults: results, Messages: [] };
    },
  })),
};

function ofAlarm(action: string, name: string, { alarmArnPrefix }: CloudWatchParts): NeededPermission {
  return { action: `cloudwatch:${action}`, resource: `${alarmArnPrefix}${name}` };
}

function describeAlarms({ alarms }: CloudWatchParts, request: z.output<typeof REQUESTS.DescribeAlarms>): object {
  const { AlarmNames, AlarmNamePrefix = '', AlarmTypes, StateValue, MaxRecords, NextToken: after } = request;
  if (AlarmNames && AlarmNamePrefix !== '') {
    throw new CallRefusal(
      400,
      'InvalidParameterCombinationException',
      'AlarmNamePrefix and AlarmNames may not both be specified.',
    );
  }
  const matches = alarms
    .all()
    .filter(
      ({ definition: { name }, state }) =>
        AlarmTypes.includes('MetricAlarm') &&
        (AlarmNames?.includes(name) ?? name.startsWith(AlarmNamePrefix)) &&
        (StateValue === undefined || state === StateValue) &&
        name > after,
    );
  const page = matches.slice(0, MaxRecords);
  const NextToken = matches.length > page.length ? page.at(-1)?.definition.name : undefined;
  return { MetricAlarms: page.map(shownAlarm), CompositeAlarms: [], LogAlarms: [], NextToken };
}

function shownAlarm({ definition, state, reason, updatedAt, transitionedAt }: Alarm): object {
  const { name, arn, description, rule, shown } = definition;
  return {
    AlarmName: name,
    AlarmArn: arn,
    AlarmDescription: description,
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: updatedAt.getTime() / 1000,
    StateTransitionedTimestamp: transitionedAt.getTime() / 1000,
    EvaluationPeriods: rule.evaluationPeriods,
    DatapointsToAlarm: rule.datapointsToAlarm,
    Threshold: rule.threshold,
    ComparisonOperator: rule.comparison,
    TreatMissingData: rule.treatMissingData,
    ...shown,
  };
}

function listMetrics({ store }: CloudWatchParts, request: z.output<typeof REQUESTS.ListMetrics>): object {
  const { Namespace, MetricName, Dimensions, NextToken } = request;
  const matches = store
    .metrics()
    .filter(
      ({ namespace, name, dimensions }) =>
        (Namespace === undefined || namespace === Namespace) &&
        (MetricName === undefined || name === MetricName) &&
        Dimensions.every(
          ({ Name, Value }) => Object.hasOwn(dimensions, Name) && (Value === undefined || dimensions[Name] === Value),
        ),
    );
  const from = Number(NextToken);
  if (!Number.isInteger(from)) throw new CallRefusal(400, 'InvalidNextToken', 'The NextToken is none of these.');
  const page = matches.slice(from, from + METRICS_SHOWN_MAX);
  return {
    Metrics: page.map(({ namespace, name, dimensions }) => ({
      Namespace: namespace,
      MetricName: name,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    })),
    NextToken: matches.length > from + page.length ? String(from + page.length) : undefined,
  };
}

interface NamedMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
}

function metricOf({ Namespace, MetricName, Dimensions }: NamedMetric): Metric {
  const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
  return { namespace: Namespace, name: MetricName, dimensions };
}

interface Times {
  readonly StartTime: number;
  readonly EndTime: number;
}

function spanOf({ StartTime, EndTime, Period }: Times & { readonly Period: number }) {
  if (StartTime >= EndTime) {
    throw new CallRefusal(400, 'InvalidParameterValueException', 'The parameter StartTime must be less than EndTime.');
  }
  return { from: StartTime, to: EndTime, periodMillis: Period * 1000 };
}

function dataOf({ store }: CloudWatchParts, { MetricStat: { Metric, Period } }: Query, times: Times): Period[] {
  return periods(store, metricOf(Metric), spanOf({ ...times, Period }));
}

function resultOf({ Id, Label, MetricStat: { Metric, Stat } }: Query, data: readonly Period[]) {
  return {
    Id,
    Label: Label ?? Metric.MetricName,
    Timestamps: data.map(({ from }) => from / 1000),
    Values: data.map(({ samples }) => statisticOf(samples, Stat)),
    StatusCode: 'Complete',
  };
}

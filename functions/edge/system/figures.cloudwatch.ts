import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  type MetricAlarm,
  type MetricDataQuery,
} from '@aws-sdk/client-cloudwatch';
import { callLimits } from '#shared/quotas/call-limits';
import type { AlarmState, Figures, MetricAt } from './system-state.ts';

/** The most that one call takes. */
const ALARMS_MAX = 100;
const METRICS_MAX = 500;
/** CloudWatch has what SQS measures after two minutes or three. */
const RECENT_MILLIS = 10 * 60_000;
const PERIOD_SECONDS = 60;

export const cloudWatchFigures = (client: CloudWatchClient = ownClient()): Omit<Figures, 'counts'> => ({
  async alarms(names) {
    const states = await Promise.all(chunks(names, ALARMS_MAX).map((some) => alarmStates(client, some)));
    return new Map(states.flat());
  },

  async newest(metrics, now) {
    const values = await Promise.all(chunks(metrics, METRICS_MAX).map((some) => newestValues(client, some, now)));
    return values.flat();
  },
});

async function alarmStates(client: CloudWatchClient, names: readonly string[]): Promise<[string, AlarmState][]> {
  const { MetricAlarms: alarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmNames: [...names], MaxRecords: ALARMS_MAX }),
  );
  return alarms.map((alarm) => [alarm.AlarmName ?? '', stateOf(alarm)]);
}

function stateOf(alarm: MetricAlarm): AlarmState {
  const { StateValue: state = '', StateReason: reason = '', AlarmDescription: description = '' } = alarm;
  const since = (alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp)?.toISOString() ?? '';
  return { state, since, reason, description, metric: metricOf(alarm) };
}

function metricOf({ Namespace: namespace, MetricName: name, Dimensions: dimensions = [] }: MetricAlarm) {
  if (namespace === undefined || name === undefined) return undefined;
  return {
    namespace,
    name,
    dimensions: Object.fromEntries(dimensions.map(({ Name, Value }) => [Name ?? '', Value ?? ''])),
  };
}

async function newestValues(
  client: CloudWatchClient,
  metrics: readonly MetricAt[],
  now: number,
): Promise<(number | undefined)[]> {
  const { MetricDataResults: results = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: metrics.map(queryFor),
      StartTime: new Date(now - RECENT_MILLIS),
      EndTime: new Date(now),
      ScanBy: 'TimestampDescending',
    }),
  );
  const newest = new Map(results.map(({ Id: id, Values: [value] = [] }) => [id, value]));
  return metrics.map((_, at) => newest.get(idOf(at)));
}

const idOf = (at: number) => `m${at}`;

const queryFor = ({ namespace, name, dimensions }: MetricAt, at: number): MetricDataQuery => ({
  Id: idOf(at),
  MetricStat: {
    Metric: {
      Namespace: namespace,
      MetricName: name,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    },
    Period: PERIOD_SECONDS,
    Stat: 'Maximum',
  },
});

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

let client: CloudWatchClient | undefined;
const ownClient = () => (client ??= new CloudWatchClient({ maxAttempts: 4, requestHandler: callLimits(3_000) }));

import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandInput,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  ListMetricsCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import { Alarms } from '../../../../cdk/local/cloudwatch/alarms.ts';
import { CloudWatchService } from '../../../../cdk/local/cloudwatch/cloudwatch-service.ts';
import { MetricStore } from '../../../../cdk/local/cloudwatch/metric-store.ts';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { signedPost } from '../../../support/cloud/signed-call.ts';

// SDKs sign by the machine's clock, so the cloud's must be near it; a whole minute makes the buckets known.
const MINUTE = 60_000;
const START = Math.floor(Date.now() / MINUTE) * MINUTE;
const PREFIX = `arn:aws:cloudwatch:${REGION}:${ACCOUNT_ID}:alarm:`;
const NAMES = ['a-first', 'a-second', 'b-third'];

let endpoint: LocalEndpoint;
let store: MetricStore;
let cloudwatch: CloudWatchClient;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  const clock = new Clock(() => START + 30_000);
  store = new MetricStore(clock.now);
  const alarms = new Alarms({ store, measure: () => undefined, clock, report: () => undefined });
  for (const name of NAMES) {
    alarms.add({
      name,
      arn: PREFIX + name,
      path: `stack/${name}`,
      title: name,
      description: `${name} sounds.`,
      rule: {
        evaluationPeriods: 2,
        datapointsToAlarm: 1,
        threshold: 0.5,
        comparison: 'GreaterThanThreshold',
        treatMissingData: 'ignore',
      },
      periodSeconds: 300,
      metrics: new Map(),
      value: () => undefined,
      shown: { Namespace: 'Test', MetricName: 'Faults', Statistic: 'Sum', Period: 300, ActionsEnabled: true },
    });
  }
  endpoint.add(new CloudWatchService({ store, alarms, alarmArnPrefix: PREFIX }));
  cloudwatch = new CloudWatchClient(endpoint.clientOptions());
});
afterAll(async () => {
  cloudwatch.destroy();
  await endpoint.close();
});

const Dimensions = [{ Name: 'domain', Value: 'images' }];
const images = (namespace: string, name: string) => ({ namespace, name, dimensions: { domain: 'images' } });
const total = (namespace: string, name: string) => ({ namespace, name, dimensions: {} });

async function described(input: DescribeAlarmsCommandInput = {}) {
  const { MetricAlarms = [], NextToken } = await cloudwatch.send(new DescribeAlarmsCommand(input));
  return { names: MetricAlarms.map(({ AlarmName }) => AlarmName), NextToken };
}

describe('DescribeAlarms', () => {
  it('shows an alarm with its rule, its metric, its state and its reason', async () => {
    const { MetricAlarms, CompositeAlarms } = await cloudwatch.send(
      new DescribeAlarmsCommand({ AlarmNames: ['a-first'] }),
    );
    expect(CompositeAlarms).toEqual([]);
    expect(MetricAlarms).toEqual([
      {
        AlarmName: 'a-first',
        AlarmArn: `${PREFIX}a-first`,
        AlarmDescription: 'a-first sounds.',
        StateValue: 'INSUFFICIENT_DATA',
        StateReason: 'Unchecked: Initial alarm creation',
        StateUpdatedTimestamp: new Date(START + 30_000),
        StateTransitionedTimestamp: new Date(START + 30_000),
        EvaluationPeriods: 2,
        DatapointsToAlarm: 1,
        Threshold: 0.5,
        ComparisonOperator: 'GreaterThanThreshold',
        TreatMissingData: 'ignore',
        Namespace: 'Test',
        MetricName: 'Faults',
        Statistic: 'Sum',
        Period: 300,
        ActionsEnabled: true,
      },
    ]);
  });

  it('finds alarms by name, by prefix and by type', async () => {
    expect((await described()).names).toEqual(NAMES);
    expect((await described({ AlarmNames: ['b-third', 'none'] })).names).toEqual(['b-third']);
    expect((await described({ AlarmNamePrefix: 'a-' })).names).toEqual(['a-first', 'a-second']);
    expect((await described({ AlarmTypes: ['CompositeAlarm'] })).names).toEqual([]);
  });

  it('shows all alarms page by page', async () => {
    const first = await described({ MaxRecords: 2 });
    expect(first.names).toEqual(NAMES.slice(0, 2));
    const second = await described({ MaxRecords: 2, NextToken: first.NextToken });
    expect(second).toEqual({ names: NAMES.slice(2), NextToken: undefined });
  });

  it('refuses contradictory and unknown filters', async () => {
    await expect(described({ AlarmNames: ['a'], AlarmNamePrefix: 'a' })).rejects.toMatchObject({
      name: 'InvalidParameterCombinationException',
    });
    await expect(described({ ActionPrefix: 'arn:' })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: expect.stringContaining('ActionPrefix'),
    });
  });
});

describe('SetAlarmState', () => {
  const set = (AlarmName: string) =>
    cloudwatch.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason: 'a drill' }));

  it('changes what DescribeAlarms finds by state', async () => {
    expect((await described({ StateValue: 'ALARM' })).names).toEqual([]);
    await set('a-second');
    expect((await described({ StateValue: 'ALARM' })).names).toEqual(['a-second']);
    expect((await described({ StateValue: 'INSUFFICIENT_DATA' })).names).toEqual(['a-first', 'b-third']);
  });

  it('says that an alarm does not exist', async () => {
    await expect(set('missing')).rejects.toMatchObject({ name: 'ResourceNotFound' });
  });
});

describe('metrics', () => {
  const StartTime = new Date(START - 10 * MINUTE);
  const EndTime = new Date(START + MINUTE);
  const at = (minutes: number) => new Date(START + minutes * MINUTE);

  it('come back as statistics of periods', async () => {
    const pages = images('Read', 'Pages');
    store.put(pages, 4, { unit: 'Count' });
    store.add(pages, { sum: 13, count: 4, min: 1, max: 10 }, { at: at(-1).getTime() });
    store.add(pages, { sum: 30, count: 2, min: 5, max: 25 }, { at: at(-6).getTime() });
    const read = (Period: number) =>
      cloudwatch.send(
        new GetMetricStatisticsCommand({
          Namespace: 'Read',
          MetricName: 'Pages',
          Dimensions,
          StartTime,
          EndTime,
          Period,
          Statistics: ['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount'],
        }),
      );
    const older = { Timestamp: at(-6), Unit: 'Count', Sum: 30, Average: 15, Minimum: 5, Maximum: 25, SampleCount: 2 };
    const minutes = await read(60);
    expect(minutes.Label).toBe('Pages');
    expect(minutes.Datapoints).toEqual([
      older,
      { Timestamp: at(-1), Unit: 'Count', Sum: 13, Average: 3.25, Minimum: 1, Maximum: 10, SampleCount: 4 },
      { Timestamp: at(0), Unit: 'Count', Sum: 4, Average: 4, Minimum: 4, Maximum: 4, SampleCount: 1 },
    ]);
    const five = await read(300);
    expect(five.Datapoints).toMatchObject([
      { Timestamp: at(-10), Sum: 30 },
      { Timestamp: at(-5), Sum: 13 },
      { Sum: 4 },
    ]);
  });

  it('come back as data of several queries, newest first unless asked otherwise', async () => {
    store.put(total('Data', 'Size'), 1, { at: at(-2).getTime() });
    store.put(total('Data', 'Size'), 7);
    const query = (Id: string, MetricName: string) => ({
      Id,
      MetricStat: { Metric: { Namespace: 'Data', MetricName }, Period: 60, Stat: 'Maximum' },
    });
    const MetricDataQueries = [query('size', 'Size'), query('none', 'Nothing')];
    const newestFirst = await cloudwatch.send(new GetMetricDataCommand({ MetricDataQueries, StartTime, EndTime }));
    expect(newestFirst.MetricDataResults).toEqual([
      { Id: 'size', Label: 'Size', Timestamps: [at(0), at(-2)], Values: [7, 1], StatusCode: 'Complete' },
      { Id: 'none', Label: 'Nothing', Timestamps: [], Values: [], StatusCode: 'Complete' },
    ]);
    const oldestFirst = await cloudwatch.send(
      new GetMetricDataCommand({ MetricDataQueries, StartTime, EndTime, ScanBy: 'TimestampAscending' }),
    );
    expect(oldestFirst.MetricDataResults?.[0]?.Values).toEqual([1, 7]);
  });

  it('are found over any span of time, of which only the retention window is searched', async () => {
    store.put(total('Span', 'Size'), 1);
    const { Datapoints } = await cloudwatch.send(
      new GetMetricStatisticsCommand({
        Namespace: 'Span',
        MetricName: 'Size',
        StartTime: new Date(0),
        EndTime: new Date(START + 1e12),
        Period: 60,
        Statistics: ['Sum'],
      }),
    );
    expect(Datapoints).toMatchObject([{ Timestamp: at(0), Sum: 1 }]);
  });

  it('are listed by namespace, name and dimensions, page by page', async () => {
    for (let i = 0; i < 501; i++) store.put(images('List', `M${i}`), 1);
    store.put(total('List', 'M0'), 1);
    const list = async (filter: object) =>
      (await cloudwatch.send(new ListMetricsCommand({ Namespace: 'List', ...filter }))).Metrics;
    expect(await list({ MetricName: 'M0' })).toEqual([
      { Namespace: 'List', MetricName: 'M0', Dimensions },
      { Namespace: 'List', MetricName: 'M0', Dimensions: [] },
    ]);
    expect(await list({ MetricName: 'M0', Dimensions: [{ Name: 'domain' }] })).toHaveLength(1);
    expect(await list({ Dimensions: [{ Name: 'domain', Value: 'other' }] })).toEqual([]);
    const { Metrics, NextToken } = await cloudwatch.send(new ListMetricsCommand({ Namespace: 'List' }));
    expect(Metrics).toHaveLength(500);
    expect(await list({ NextToken })).toHaveLength(2);
  });
});

describe('a statistic or a period that is not supported', () => {
  it.each([
    ['Statistics', { ExtendedStatistics: ['p99' as const] }],
    ['Period', { Statistics: ['Sum' as const], Period: 30 }],
    ['StartTime', { Statistics: ['Sum' as const], StartTime: new Date(), EndTime: new Date(0) }],
  ])('is refused, naming %s', async (member, change) => {
    const command = new GetMetricStatisticsCommand({
      Namespace: 'Test',
      MetricName: 'Size',
      StartTime: new Date(0),
      EndTime: new Date(),
      Period: 60,
      ...change,
    });
    await expect(cloudwatch.send(command)).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: expect.stringContaining(member),
    });
  });
});

describe('a call', () => {
  const call = (operation: string, body: string) =>
    signedPost({
      ...endpoint.clientOptions(),
      service: 'monitoring',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
      },
      body,
    });

  it('of an unknown operation is refused by name', async () => {
    const response = await call('PutMetricAlarm', '{}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('PutMetricAlarm') });
    expect(response.headers.get('x-amzn-query-error')).toBe('UnknownOperationException;Sender');
  });
});

describe('a role', () => {
  const clientOf = (name: string, ...policies: Parameters<typeof allowing>[]) =>
    new CloudWatchClient(endpoint.clientOptions(endpoint.role(name, ...policies.map((policy) => allowing(...policy)))));

  it('without permission sees nothing and changes nothing', async () => {
    const nobody = clientOf('Nobody');
    const denied = { name: 'AccessDenied' };
    await expect(nobody.send(new DescribeAlarmsCommand())).rejects.toMatchObject(denied);
    await expect(nobody.send(new ListMetricsCommand())).rejects.toMatchObject(denied);
    const setting = new SetAlarmStateCommand({ AlarmName: 'a-first', StateValue: 'OK', StateReason: 'tried' });
    await expect(nobody.send(setting)).rejects.toMatchObject(denied);
  });

  it('may be bound to one alarm', async () => {
    const reader = clientOf('Reader', [['cloudwatch:DescribeAlarms', 'cloudwatch:SetAlarmState'], `${PREFIX}a-first`]);
    const { MetricAlarms } = await reader.send(new DescribeAlarmsCommand({ AlarmNames: ['a-first'] }));
    expect(MetricAlarms).toHaveLength(1);
    await expect(reader.send(new DescribeAlarmsCommand())).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

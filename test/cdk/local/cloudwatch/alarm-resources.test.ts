import { CloudWatchClient, GetMetricStatisticsCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandOutput,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import {
  Alarm,
  AnomalyDetectionAlarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
  Unit,
} from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import {
  appOf,
  clientOptions,
  eventually,
  functionOf,
  invoke,
  startLocalCloud,
} from '../../../support/cloud/local-cloud.ts';
import { polled } from '../../../support/runner/machine-time.ts';

const MINUTE = 60_000;
const WORKER = `
export const handler = (event) => {
  if (event.fail) throw new Error('Told to fail.');
  if (event.lasts) return new Promise(() => {});
  if (event.rawPath === '/faulty') return { statusCode: 503, body: 'no' };
  if (event.rawPath === '/broken') throw new Error('Broken.');
  console.log(JSON.stringify({
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [{ Namespace: 'Own', Dimensions: [['domain'], []], Metrics: [{ Name: 'Pages' }] }] },
    domain: 'images',
    Pages: [1, 4],
  }));
  return {};
};`;

let cloud: Cloud;
const reported: string[] = [];
let cloudwatch: CloudWatchClient;
let sqs: SQSClient;

function resources(stack: Stack) {
  const worker = functionOf(stack, 'Worker', WORKER, { reservedConcurrentExecutions: 1 });
  const other = functionOf(stack, 'Other', WORKER);
  const api = new HttpApi(stack, 'Api');
  for (const path of ['/good', '/faulty', '/broken']) {
    api.addRoutes({ path, integration: new HttpLambdaIntegration(path, other) });
  }
  const queue = new Queue(stack, 'Queue', { visibilityTimeout: Duration.hours(1) });
  const letters = new Queue(stack, 'Letters');
  const table = new TableV2(stack, 'Table', {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    dynamoStream: StreamViewType.KEYS_ONLY,
  });
  const reader = functionOf(stack, 'Reader', 'export const handler = () => ({})');
  reader.addEventSource(new DynamoEventSource(table, { startingPosition: StartingPosition.TRIM_HORIZON }));

  new Alarm(stack, 'Errors', {
    metric: worker.metricErrors({ period: Duration.minutes(1) }),
    alarmDescription: 'Customers wait.',
    threshold: 0,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  new Alarm(stack, 'Named', {
    alarmName: 'letters-wait',
    metric: letters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
    threshold: 2,
    evaluationPeriods: 1,
  });
  new Alarm(stack, 'Math', {
    metric: new MathExpression({
      expression: 'SUM(FILL(METRICS(), 0))',
      period: Duration.minutes(1),
      usingMetrics: { one: worker.metricErrors(), two: other.metricErrors() },
    }),
    threshold: 100,
    evaluationPeriods: 2,
    datapointsToAlarm: 1,
  });
  for (const [name, value] of Object.entries({
    LettersUrl: letters.queueUrl,
    QueueUrl: queue.queueUrl,
    QueueName: queue.queueName,
    TableName: table.tableName,
    ApiId: api.apiId,
  })) {
    new CfnOutput(stack, name, { value });
  }
}

beforeAll(async () => {
  cloud = await startLocalCloud({
    report: (line) => reported.push(line),
    app: appOf(resources),
  });
  cloudwatch = new CloudWatchClient(clientOptions(cloud));
  sqs = new SQSClient(clientOptions(cloud));
});
afterAll(async () => {
  cloudwatch.destroy();
  sqs.destroy();
  await cloud.close();
});

async function samples(Namespace: string, MetricName: string, dimensions: Record<string, string> = {}) {
  const { Datapoints = [] } = await cloudwatch.send(
    new GetMetricStatisticsCommand({
      Namespace,
      MetricName,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      StartTime: new Date(Date.now() - 60 * MINUTE),
      EndTime: new Date(Date.now() + 60 * MINUTE),
      Period: 7200,
      Statistics: ['Sum', 'SampleCount', 'Maximum'],
    }),
  );
  const [{ Sum = 0, SampleCount = 0, Maximum = 0 } = {}] = Datapoints;
  return { sum: Sum, count: SampleCount, max: Maximum };
}

const ofFunction = (metric: string, name?: string) =>
  samples('AWS/Lambda', metric, name === undefined ? {} : { FunctionName: cloud.functionName(name) });
const stateOf = (path: string) => cloud.alarms().find((alarm) => alarm.path === `test/${path}`)?.state;

/** The clock leaps over all periods that an alarm here looks at. */
function leap() {
  cloud.clock.advance(4 * MINUTE);
  cloud.evaluateAlarms();
}

describe('a function', () => {
  it('counts invocations, failures and refusals, its own and those of all functions', async () => {
    const [worker, other] = [cloud.functionName('Worker'), cloud.functionName('Other')];
    const now = async () => ({
      invocations: (await ofFunction('Invocations', 'Worker')).sum,
      errors: (await ofFunction('Errors', 'Worker')).sum,
      outcomes: (await ofFunction('Errors', 'Worker')).count,
      throttles: (await ofFunction('Throttles', 'Worker')).sum,
      durations: (await ofFunction('Duration', 'Worker')).count,
      ofAll: (await ofFunction('Invocations')).sum,
      errorsOfAll: (await ofFunction('Errors')).sum,
    });
    const before = await now();
    await invoke(cloud, worker, {});
    await invoke(cloud, worker, { fail: true });
    await invoke(cloud, other, {});
    cloud.faults.kill('Worker', 'before-invoke');
    await invoke(cloud, worker, {});
    cloud.faults.throttle('Worker');
    await invoke(cloud, worker, {});
    expect(await now()).toEqual({
      invocations: before.invocations + 3,
      errors: before.errors + 2,
      outcomes: before.outcomes + 3,
      throttles: before.throttles + 1,
      durations: before.durations + 2,
      ofAll: before.ofAll + 4,
      errorsOfAll: before.errorsOfAll + 2,
    });
  });

  it('counts every attempt at an asynchronous event', async () => {
    const before = await ofFunction('Errors', 'Other');
    await invoke(cloud, cloud.functionName('Other'), { fail: true }, 'Event');
    await eventually(
      cloud,
      () => cloud.pendingEvents,
      (pending) => pending === 0,
    );
    expect((await ofFunction('Errors', 'Other')).sum - before.sum).toBe(3);
  });

  it('counts what its reserved concurrency refuses', async () => {
    const worker = cloud.functionName('Worker');
    const lasting = invoke(cloud, worker, { lasts: true });
    await polled(
      () => invoke(cloud, worker, {}),
      ({ status }) => status === 429,
    );
    const before = await ofFunction('Throttles', 'Worker');
    for (let n = 0; n < 2; n += 1) await invoke(cloud, worker, {});
    expect((await ofFunction('Throttles', 'Worker')).sum - before.sum).toBe(2);
    await cloud.faults.killRunning('Worker');
    await lasting;
  });

  it('makes metrics by printing them', async () => {
    await invoke(cloud, cloud.functionName('Other'), {});
    const { Metrics } = await cloudwatch.send(new ListMetricsCommand({ Namespace: 'Own' }));
    expect(Metrics).toHaveLength(2);
    const statistics = await samples('Own', 'Pages', { domain: 'images' });
    expect(statistics).toEqual({ sum: (statistics.count / 2) * 5, count: expect.any(Number), max: 4 });
    expect(await samples('Own', 'Pages')).toEqual(statistics);
  });

  it('that reads a stream reports the age of its records', async () => {
    const dynamodb = new DynamoDBClient(clientOptions(cloud));
    await dynamodb.send(new PutItemCommand({ TableName: cloud.outputs['TableName'], Item: { id: { S: 'a' } } }));
    const { max } = await eventually(
      cloud,
      () => ofFunction('IteratorAge', 'Reader'),
      ({ count }) => count > 0,
    );
    expect(max).toBeGreaterThanOrEqual(0);
    dynamodb.destroy();
  });
});

describe('an HTTP API', () => {
  it('counts calls and refusals, and faults that the function answers, causes, or is refused', async () => {
    for (const path of ['/good', '/none', '/faulty', '/broken']) await fetch(cloud.apiUrl + path);
    cloud.faults.throttle('Other');
    expect((await fetch(`${cloud.apiUrl}/good`)).status).toBe(503);
    const api = { ApiId: cloud.outputs['ApiId'] ?? '' };
    for (const dimensions of [api, { ...api, Stage: '$default' }]) {
      expect(await samples('AWS/ApiGateway', 'Count', dimensions)).toMatchObject({ sum: 5 });
      expect(await samples('AWS/ApiGateway', '4xx', dimensions)).toMatchObject({ sum: 1, count: 5 });
      expect(await samples('AWS/ApiGateway', '5xx', dimensions)).toMatchObject({ sum: 3, count: 5 });
      expect(await samples('AWS/ApiGateway', 'Latency', dimensions)).toMatchObject({ count: 5 });
    }
  });
});

describe('a queue', () => {
  const QueueUrl = () => cloud.outputs['QueueUrl'];
  const ofQueue = (metric: string) => samples('AWS/SQS', metric, { QueueName: cloud.outputs['QueueName'] ?? '' });
  const receive = (): Promise<ReceiveMessageCommandOutput> =>
    sqs.send(new ReceiveMessageCommand({ QueueUrl: QueueUrl() }));

  it('counts what is sent, received and deleted, and is measured when alarms are evaluated', async () => {
    await sqs.send(new SendMessageCommand({ QueueUrl: QueueUrl(), MessageBody: 'a' }));
    await sqs.send(new SendMessageCommand({ QueueUrl: QueueUrl(), MessageBody: 'b' }));
    await sqs.send(new SendMessageCommand({ QueueUrl: QueueUrl(), MessageBody: 'c', DelaySeconds: 900 }));
    const { Messages: [held] = [] } = await receive();
    cloud.clock.advance(2 * MINUTE);
    cloud.evaluateAlarms();
    await sqs.send(new DeleteMessageCommand({ QueueUrl: QueueUrl(), ReceiptHandle: held?.ReceiptHandle }));
    expect(await ofQueue('NumberOfMessagesSent')).toMatchObject({ sum: 3 });
    expect(await ofQueue('NumberOfMessagesReceived')).toMatchObject({ sum: 1 });
    expect(await ofQueue('NumberOfMessagesDeleted')).toMatchObject({ sum: 1 });
    expect(await ofQueue('ApproximateNumberOfMessagesVisible')).toMatchObject({ max: 1 });
    expect(await ofQueue('ApproximateNumberOfMessagesNotVisible')).toMatchObject({ max: 1 });
    expect(await ofQueue('ApproximateNumberOfMessagesDelayed')).toMatchObject({ max: 1 });
    expect((await ofQueue('ApproximateAgeOfOldestMessage')).max).toBeGreaterThanOrEqual(120);
  });
});

describe('an alarm of a template', () => {
  it('sounds when its function fails, says so by its path, and is over later', async () => {
    leap();
    reported.length = 0;
    expect(stateOf('Errors')).toBe('OK');
    await invoke(cloud, cloud.functionName('Worker'), { fail: true });
    cloud.evaluateAlarms();
    expect(stateOf('Errors')).toBe('ALARM');
    leap();
    expect(stateOf('Errors')).toBe('OK');
    expect(reported.filter((line) => line.includes('Errors'))).toEqual([
      'ALARM test/Errors: Customers wait.',
      'OK test/Errors',
    ]);
  });

  it('is reported by its name if it has one, and with its reason if it has no description', async () => {
    reported.length = 0;
    for (const MessageBody of ['a', 'b']) {
      await sqs.send(new SendMessageCommand({ QueueUrl: cloud.outputs['LettersUrl'], MessageBody }));
    }
    cloud.evaluateAlarms();
    expect(stateOf('Named')).toBe('ALARM');
    expect(cloud.alarms().map(({ name }) => name)).toContain('letters-wait');
    expect(reported.find((line) => line.startsWith('ALARM letters-wait: Threshold: 1 of the last 1'))).toBeDefined();
  });
});

describe('an alarm that could not be evaluated truthfully', () => {
  const metric = new Metric({ namespace: 'Own', metricName: 'Pages' });
  const rule = { threshold: 1, evaluationPeriods: 1 };
  const math = (expression: string) => new MathExpression({ expression, usingMetrics: { a: metric, b: metric } });

  it.each<[string, string, (stack: Stack) => unknown]>([
    [
      'an unknown expression',
      'cannot evaluate the expression "a / b"',
      (stack) => new Alarm(stack, 'Alarm', { ...rule, metric: math('a / b') }),
    ],
    [
      'a percentile',
      'ExtendedStatistic',
      (stack) => new Alarm(stack, 'Alarm', { ...rule, metric: metric.with({ statistic: Stats.percentile(99) }) }),
    ],
    [
      'periods below a minute',
      'a multiple of 60 s',
      (stack) => new Alarm(stack, 'Alarm', { ...rule, metric: metric.with({ period: Duration.seconds(10) }) }),
    ],
    ['a unit', 'Unit', (stack) => new Alarm(stack, 'Alarm', { ...rule, metric: metric.with({ unit: Unit.COUNT }) })],
    [
      'a long past',
      'keeps metrics for',
      (stack) => new Alarm(stack, 'Alarm', { ...rule, metric: metric.with({ period: Duration.hours(3) }) }),
    ],
    [
      'a band',
      'ThresholdMetricId',
      (stack) => new AnomalyDetectionAlarm(stack, 'Alarm', { metric, stdDevs: 2, evaluationPeriods: 1 }),
    ],
  ])('because of %s fails the start by name', async (_, reason, fill) => {
    await expect(startLocalCloud({ app: appOf((stack) => void fill(stack)) })).rejects.toThrow(reason);
  });
});

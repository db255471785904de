import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { CfnRule, EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import {
  appOf,
  clientOptions,
  eventually,
  functionOf,
  importing,
  invoke,
  later,
  startLocalCloud,
} from '../../../support/cloud/local-cloud.ts';

const PRINTING = 'export const handler = async (event) => { console.log(JSON.stringify({ event })); };';
const PUTTING = `
${importing('EventBridgeClient, PutEventsCommand', '@aws-sdk/client-eventbridge')}
const events = new EventBridgeClient();
export const handler = async ({ bus }) => events.send(new PutEventsCommand({
  Entries: [{ Source: 'own', DetailType: 'thing', Detail: '{}', EventBusName: bus }],
}));`;

let cloud: Cloud;
let events: EventBridgeClient;

function fill(stack: Stack) {
  const bus = new EventBus(stack, 'Bus');
  const printer = functionOf(stack, 'Printer', PRINTING);
  const queue = new Queue(stack, 'Queue');
  new Rule(stack, 'ToFunction', {
    eventBus: bus,
    eventPattern: { source: ['orders'], detail: { size: ['big'] } },
    targets: [new LambdaTarget(printer, { retryAttempts: 3 })],
  });
  new Rule(stack, 'ToQueue', {
    eventBus: bus,
    eventPattern: { detailType: ['made'] },
    targets: [new SqsQueue(queue)],
  });
  const second = new EventBus(stack, 'Second');
  new Rule(stack, 'Nightly', {
    schedule: Schedule.cron({ hour: '3', minute: '0' }),
    targets: [new LambdaTarget(printer)],
  });
  const bucket = new CfnBucket(stack, 'Bucket', {
    notificationConfiguration: { eventBridgeConfiguration: { eventBridgeEnabled: true } },
  });
  new Rule(stack, 'Uploaded', {
    eventPattern: {
      source: ['aws.s3'],
      detailType: ['Object Created'],
      detail: { bucket: { name: [bucket.ref] } },
    },
    targets: [new SqsQueue(queue)],
  });
  const silent = new Bucket(stack, 'Silent');
  new Rule(stack, 'Hourly', {
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new SqsQueue(queue)],
  });
  const putter = functionOf(stack, 'Putter', PUTTING);
  bus.grantPutEventsTo(putter);
  for (const [name, value] of Object.entries({
    BusName: bus.eventBusName,
    SecondName: second.eventBusName,
    QueueUrl: queue.queueUrl,
    BucketName: bucket.ref,
    SilentName: silent.bucketName,
  })) {
    new CfnOutput(stack, name, { value });
  }
}

const START = Date.parse('2026-03-01T01:30:00Z');

beforeAll(async () => {
  cloud = await startLocalCloud({ app: appOf(fill) });
  events = new EventBridgeClient(clientOptions(cloud));
});
afterAll(() => cloud.close());

const put = (entry: Partial<PutEventsRequestEntry>) =>
  events.send(
    new PutEventsCommand({
      Entries: [
        { EventBusName: cloud.outputs['BusName'], Source: 'orders', DetailType: 'made', Detail: '{}', ...entry },
      ],
    }),
  );

async function nextMessage(at = cloud): Promise<Record<string, unknown>> {
  const QueueUrl = at.outputs['QueueUrl'];
  const client = new SQSClient(clientOptions(at));
  const { Messages: [message] = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  return JSON.parse(message?.Body ?? '{}') as Record<string, unknown>;
}

const printed = (name = 'Printer', at = cloud) => at.logsOf(name).flatMap(({ event }) => (event ? [event] : []));

describe('an event', () => {
  it('reaches the function whose rule it matches, in its envelope', async () => {
    const before = printed().length;
    const { Entries, FailedEntryCount } = await put({
      DetailType: 'big',
      Detail: '{"size":"big"}',
      Resources: ['arn:x'],
    });
    expect(FailedEntryCount).toBe(0);
    const [event] = await eventually(
      cloud,
      () => printed().slice(before),
      (all) => all.length === 1,
    );
    expect(event).toEqual({
      version: '0',
      id: Entries?.[0]?.EventId,
      'detail-type': 'big',
      source: 'orders',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: ['arn:x'],
      detail: { size: 'big' },
    });
  });

  it('reaches a queue', async () => {
    const { Entries } = await put({ Detail: '{"id":"a"}' });
    expect(await nextMessage()).toMatchObject({ id: Entries?.[0]?.EventId, detail: { id: 'a' } });
  });

  it('is tried again when the function fails', async () => {
    await cloud.settled();
    const before = printed().length;
    cloud.faults.kill('Printer', 'before-invoke');
    await put({ DetailType: 'big', Detail: '{"size":"big"}' });
    await eventually(
      cloud,
      () => printed(),
      (all) => all.length === before + 1,
    );
  });
});

describe('PutEvents', () => {
  it('answers for every entry by itself', async () => {
    const bus = { EventBusName: cloud.outputs['SecondName'] };
    const good = { ...bus, Source: 's', DetailType: 't', Detail: '{}' };
    const { FailedEntryCount, Entries = [] } = await events.send(
      new PutEventsCommand({
        Entries: [
          good,
          { ...good, Detail: 'not json' },
          { ...good, Detail: '[1]' },
          { ...good, Source: undefined },
          { ...good, DetailType: '' },
          { ...good, Source: 'aws.s3' },
        ],
      }),
    );
    expect(FailedEntryCount).toBe(5);
    expect(Entries.map(({ ErrorCode = 'none' }) => ErrorCode)).toEqual([
      'none',
      'MalformedDetail',
      'MalformedDetail',
      'InvalidArgument',
      'InvalidArgument',
      'NotAuthorizedForSourceException',
    ]);
  });

  it('takes 256 KB and no more', async () => {
    const bytes = 262_144 - 'ordersmade'.length;
    const detail = (size: number) => JSON.stringify({ x: 'x'.repeat(size - 8) });
    await expect(put({ Detail: detail(bytes) })).resolves.toMatchObject({ FailedEntryCount: 0 });
    await expect(put({ Detail: detail(bytes + 1) })).rejects.toThrow('over the limit');
    expect(await nextMessage()).toBeDefined();
  });

  it('takes ten entries and no more, and knows its buses', async () => {
    const entry = { Source: 's', DetailType: 't', Detail: '{}' };
    await expect(
      events.send(new PutEventsCommand({ Entries: Array.from({ length: 11 }, () => entry) })),
    ).rejects.toThrow();
    await expect(put({ EventBusName: 'missing' })).rejects.toThrow('Event bus missing does not exist');
  });

  it('needs a permission for the bus', async () => {
    const call = (bus: string | undefined) => invoke(cloud, cloud.functionName('Putter'), { bus });
    expect((await call(cloud.outputs['BusName'])).error).toBeNull();
    expect(await call(cloud.outputs['SecondName'])).toMatchObject({
      error: 'Unhandled',
      payload: { errorType: 'AccessDeniedException' },
    });
  });
});

describe('an object', () => {
  it('is announced by its bucket, with its plain key', async () => {
    const s3 = new S3Client(clientOptions(cloud));
    await s3.send(new PutObjectCommand({ Bucket: cloud.outputs['SilentName'], Key: 'silent', Body: 'x' }));
    await s3.send(new PutObjectCommand({ Bucket: cloud.outputs['BucketName'], Key: 'a b/ü', Body: 'hello' }));
    expect(await nextMessage()).toMatchObject({
      source: 'aws.s3',
      'detail-type': 'Object Created',
      resources: [`arn:aws:s3:::${cloud.outputs['BucketName']}`],
      detail: {
        bucket: { name: cloud.outputs['BucketName'] },
        object: { key: 'a b/ü', size: 5, etag: '5d41402abc4b2a76b9719d911017c592' },
        reason: 'PutObject',
      },
    });
  });
});

describe('a schedule', () => {
  it('of a rule sends the event of a schedule', async () => {
    const before = printed().length;
    cloud.runSchedule('Nightly');
    const all = await eventually(
      cloud,
      () => printed(),
      (seen) => seen.length > before,
    );
    expect(all.at(-1)).toMatchObject({ source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} });
  });

  it('runs by the clock of a test', async () => {
    const clock = new Clock(() => START);
    const timed = await startLocalCloud({ app: appOf(fill), clock });
    clock.advance(60 * 60_000);
    expect(await nextMessage(timed)).toMatchObject({ time: '2026-03-01T02:30:00Z' });
    expect(printed('Printer', timed)).toEqual([]);
    clock.advance(30 * 60_000);
    await timed.settled();
    expect(printed('Printer', timed)).toHaveLength(1);
    await timed.close();
  });

  it('that a test stops runs no more by the clock, only by its name', async () => {
    const clock = new Clock(() => START);
    const timed = await startLocalCloud({ app: appOf(fill), clock });
    timed.stopSchedules();
    await later(timed, 48 * 60 * 60_000);
    expect(printed('Printer', timed)).toEqual([]);
    timed.runSchedule('Nightly');
    await timed.settled();
    expect(printed('Printer', timed)).toHaveLength(1);
    await timed.close();
  });

  it('goes on by the clock when a test stops all others', async () => {
    const clock = new Clock(() => START);
    const timed = await startLocalCloud({ app: appOf(fill), clock });
    timed.stopSchedules({ allBut: 'Nightly' });
    await later(timed, 48 * 60 * 60_000);
    await later(timed, 24 * 60 * 60_000);
    expect(printed('Printer', timed)).toHaveLength(2);
    const hourly = new SQSClient(clientOptions(timed)).send(
      new ReceiveMessageCommand({ QueueUrl: timed.outputs['QueueUrl'] }),
    );
    expect((await hourly).Messages).toBeUndefined();
    await timed.close();
  });
});

describe('a target that the service may not reach', () => {
  const pattern = { source: ['x'] };

  it('ends the start when it is a queue', async () => {
    const app = appOf((stack) => {
      const queue = new Queue(stack, 'Queue');
      new CfnRule(stack, 'Rule', { eventPattern: pattern, targets: [{ id: 'one', arn: queue.queueArn }] });
    });
    await expect(startLocalCloud({ app })).rejects.toThrow(
      /test\/Rule: the policy of arn:aws:sqs:\S+ does not let events\.amazonaws\.com send to it for this rule\./,
    );
  });

  it('ends the start when it is a function', async () => {
    const app = appOf((stack) => {
      const printer = functionOf(stack, 'Printer', PRINTING);
      new CfnRule(stack, 'Rule', { eventPattern: pattern, targets: [{ id: 'one', arn: printer.functionArn }] });
    });
    await expect(startLocalCloud({ app })).rejects.toThrow(
      'no AWS::Lambda::Permission lets events.amazonaws.com invoke',
    );
  });
});

describe('a rule', () => {
  it.each([
    ['InputTransformer', { inputTransformer: { inputTemplate: '"x"' } }],
    ['RoleArn', { roleArn: 'arn:aws:iam::000000000000:role/x' }],
    ['SqsParameters', { sqsParameters: { messageGroupId: 'g' } }],
  ])('with %s is refused at the start, by the name of the property', async (name, more) => {
    const app = appOf((stack) => {
      const target = { id: 'one', arn: new Queue(stack, 'Queue').queueArn, ...more };
      new CfnRule(stack, 'Rule', { eventPattern: { source: ['x'] }, targets: [target] });
    });
    await expect(startLocalCloud({ app })).rejects.toThrow(`Targets.0.${name}: the local cloud does not have it`);
  });
});

describe('a delivery that is not done when the run ends', () => {
  it('is done by the next run, or ends in the dead-letter queue', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
    const app = appOf(fill);
    const first = await startLocalCloud({ app, dataDir, asyncRetryDelaysSeconds: [3600] });
    first.faults.kill('Printer', 'before-invoke');
    first.runSchedule('Nightly');
    await first.settled();
    expect(first.faults.pending).toBe(0);
    await first.close();
    const second = await startLocalCloud({ app, dataDir });
    await second.settled();
    expect(printed('Printer', second)).toHaveLength(1);
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});

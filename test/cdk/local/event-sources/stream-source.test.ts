import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, DescribeTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, ExpiredIteratorException } from '@aws-sdk/client-dynamodb-streams';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Activity } from '../../../../cdk/local/activity.ts';
import { Clock } from '../../../../cdk/local/clock.ts';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { FunctionMetrics } from '../../../../cdk/local/cloudwatch/function-metrics.ts';
import { MetricStore } from '../../../../cdk/local/cloudwatch/metric-store.ts';
import { TableWrites } from '../../../../cdk/local/dynamodb/table-writes.ts';
import { Checkpoints } from '../../../../cdk/local/event-sources/checkpoints.ts';
import { streamEvent } from '../../../../cdk/local/event-sources/stream-event.ts';
import { StreamSource } from '../../../../cdk/local/event-sources/stream-source.ts';
import { Targets } from '../../../../cdk/local/events/targets.ts';
import type { FunctionDefinition } from '../../../../cdk/local/lambda/function-definition.ts';
import type { Functions } from '../../../../cdk/local/lambda/functions.ts';
import { appOf, clientOptions, eventually, functionOf, startLocalCloud } from '../../../support/cloud/local-cloud.ts';

/** Prints every batch. Fails on keys that say so: `bad-…` the batch, `item-…` itself, `once-…` the first time. */
const READER = `
const seen = new Set();
export const handler = async ({ Records }) => {
  console.log(JSON.stringify({ records: Records }));
  for (const { dynamodb: { Keys, SequenceNumber } } of Records) {
    const key = Keys.pk.S;
    if (key.startsWith('bad')) throw new Error('bad');
    if (key.startsWith('once') && !seen.has(key)) { seen.add(key); throw new Error('once'); }
    if (key.startsWith('item') && !seen.has(key)) { seen.add(key); return { batchItemFailures: [{ itemIdentifier: SequenceNumber }] }; }
  }
};`;

let cloud: Cloud;
let dynamodb: DynamoDBClient;

function tableWith(stack: Stack, id: string, props: Partial<DynamoEventSourceProps>) {
  const table = new TableV2(stack, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
  });
  const reader = functionOf(stack, `${id}Reader`, READER);
  reader.addEventSource(new DynamoEventSource(table, { startingPosition: StartingPosition.TRIM_HORIZON, ...props }));
  new CfnOutput(stack, `${id}Name`, { value: table.tableName });
}

beforeAll(async () => {
  cloud = await startLocalCloud({
    app: appOf((stack) => {
      tableWith(stack, 'Plain', { batchSize: 10 });
      tableWith(stack, 'Partial', {
        batchSize: 10,
        maxBatchingWindow: Duration.seconds(1),
        reportBatchItemFailures: true,
      });
      const failures = new Queue(stack, 'Failures');
      tableWith(stack, 'Limited', {
        batchSize: 10,
        maxBatchingWindow: Duration.seconds(1),
        retryAttempts: 1,
        bisectBatchOnError: true,
        onFailure: new SqsDlq(failures),
      });
      tableWith(stack, 'Filtered', {
        batchSize: 1,
        filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('REMOVE') })],
      });
      new CfnOutput(stack, 'FailuresUrl', { value: failures.queueUrl });
    }),
  });
  dynamodb = new DynamoDBClient(clientOptions(cloud));
});
afterAll(() => cloud.close());

const put = (table: string, pk: string, at = cloud) =>
  new DynamoDBClient(clientOptions(at)).send(
    new PutItemCommand({
      TableName: at.outputs[`${table}Name`],
      Item: { pk: { S: pk }, data: { B: Buffer.from('hi') } },
    }),
  );

interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } } };
}
const recordsOf = (table: string, at = cloud) =>
  at.logsOf(`${table}Reader`).flatMap(({ records }) => (records ?? []) as StreamRecord[]);
const keysOf = (table: string, at = cloud) => recordsOf(table, at).map(({ dynamodb: { Keys } }) => Keys.pk.S);
const sees = (table: string, key: string, at = cloud) =>
  eventually(
    at,
    () => keysOf(table, at),
    (keys) => keys.includes(key),
  );

describe('a change of an item', () => {
  it('reaches the function in the shape of Lambda', async () => {
    await put('Plain', 'first');
    await sees('Plain', 'first');
    expect(recordsOf('Plain').find(({ dynamodb }) => dynamodb.Keys.pk.S === 'first')).toMatchObject({
      eventID: expect.any(String),
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: expect.stringMatching(/^arn:aws:dynamodb:us-east-1:\d{12}:table\/\S+\/stream\//),
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: 'first' } },
        NewImage: { pk: { S: 'first' }, data: { B: Buffer.from('hi').toString('base64') } },
        SequenceNumber: expect.stringMatching(/^\d+$/),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
  });

  it('comes in the order of the changes, also over a failure', async () => {
    const keys = ['a1', 'once-a2', 'a3', 'a4'];
    for (const key of keys) await put('Plain', key);
    await sees('Plain', 'a4');
    const lastSeen = keys.map((key) => keysOf('Plain').lastIndexOf(key));
    expect(lastSeen).toEqual([...lastSeen].sort((one, other) => one - other));
  });

  it('that no filter wants is passed over', async () => {
    await put('Filtered', 'gone');
    const TableName = cloud.outputs['FilteredName'];
    await dynamodb.send(new DeleteItemCommand({ TableName, Key: { pk: { S: 'gone' } } }));
    await sees('Filtered', 'gone');
    expect(recordsOf('Filtered').map(({ eventName }) => eventName)).toEqual(['REMOVE']);
  });
});

describe('a batch', () => {
  it('comes again from the record that failed on', async () => {
    for (const key of ['b1', 'b2', 'item-b3', 'b4']) await put('Partial', key);
    await eventually(
      cloud,
      () => keysOf('Partial').filter((key) => key === 'b4').length,
      (times) => times === 2,
    );
    expect(keysOf('Partial').filter((key) => key === 'b1')).toHaveLength(1);
    expect(keysOf('Partial').filter((key) => key === 'item-b3')).toHaveLength(2);
  });

  it('that always fails is halved until only the bad record is given up, to the destination', async () => {
    for (const key of ['c1', 'c2', 'bad-c3', 'c4']) await put('Limited', key);
    const sqs = new SQSClient(clientOptions(cloud));
    const { Messages: [message] = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: cloud.outputs['FailuresUrl'], WaitTimeSeconds: 20 }),
    );
    expect(JSON.parse(message?.Body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
      responseContext: { functionError: 'Unhandled' },
      DDBStreamBatchInfo: { batchSize: 1, shardId: expect.any(String), startSequenceNumber: expect.any(String) },
    });
    await sees('Limited', 'c4');
    await put('Limited', 'c5');
    await sees('Limited', 'c5');
  });
});

describe('a reader that is throttled or killed', () => {
  it('misses nothing', async () => {
    // The reader may still have records of the test before, which would meet the faults.
    await cloud.settled();
    cloud.faults.throttle('PlainReader', 2);
    cloud.faults.kill('PlainReader', 'after-result');
    cloud.faults.kill('PlainReader', 'before-invoke');
    await put('Plain', 'd1');
    await eventually(
      cloud,
      () => cloud.faults.pending,
      (left) => left === 0,
    );
    await eventually(
      cloud,
      () => keysOf('Plain').filter((key) => key === 'd1').length,
      (times) => times === 2,
    );
  });
});

describe('an iterator that has expired', () => {
  it('is replaced by one from where the reader stood', async () => {
    let expired = false;
    const streams = new DynamoDBStreamsClient(clientOptions(cloud));
    streams.middlewareStack.add((next, { commandName }) => (call) => {
      if (commandName === 'GetShardIteratorCommand') expired = false;
      if (expired && commandName === 'GetRecordsCommand')
        throw new ExpiredIteratorException({ message: 'Iterator expired', $metadata: {} });
      return next(call);
    });
    const { keys, local, source } = await sourceOf('Plain', streams);
    await put('Plain', 'f1');
    await eventually(local, keys, (seen) => seen.length > 0);
    expired = true;
    await put('Plain', 'f2');
    await eventually(local, keys, (seen) => seen.includes('f2'));
    expect(keys()).toEqual(['f1', 'f2']);
    await source.stop();
  });
});

/** A source of our own beside the cloud's, from the end of the stream on, and the keys that its function got. */
async function sourceOf(table: string, streams: DynamoDBStreamsClient) {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: cloud.outputs[`${table}Name`] }));
  const seen: StreamRecord[] = [];
  const functions = {
    invoke(_arn: string, event: string) {
      seen.push(...JSON.parse(event).Records);
      return Promise.resolve({ kind: 'result', payload: 'null' });
    },
  } as unknown as Functions;
  const [clock, activity, writes] = [new Clock(), new Activity(), new TableWrites({ lookAgainMillis: 600_000 })];
  const source = new StreamSource({
    streamArn: Table?.LatestStreamArn ?? '',
    streams,
    functions,
    metrics: new FunctionMetrics(new MetricStore(() => new Date())),
    region: cloud.region,
    definition: { path: 'test/Reader', arn: 'arn:reader', roleArn: 'arn:role' } as FunctionDefinition,
    targets: new Targets(),
    checkpoints: new Checkpoints(null),
    writes,
    startingPosition: 'LATEST',
    batchSize: 10,
    windowSeconds: 0,
    reportsFailures: false,
    bisects: false,
    maxRetries: -1,
    maxAgeSeconds: -1,
    filter: () => true,
    clock,
    activity,
    report: () => undefined,
  });
  await source.start();
  /** All that was written has been read. */
  const settled = () => {
    writes.note([Table?.TableName ?? '']);
    return activity.settled();
  };
  return { source, local: { clock, settled }, keys: () => seen.map(({ dynamodb: { Keys } }) => Keys.pk.S) };
}

describe('a restart', () => {
  it('neither loses nor repeats what was done', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
    const app = appOf((stack) => tableWith(stack, 'Plain', {}));
    const first = await startLocalCloud({ app, dataDir });
    await put('Plain', 'e1', first);
    await sees('Plain', 'e1', first);
    first.faults.kill('PlainReader', 'before-invoke');
    await put('Plain', 'e2', first);
    await first.settled();
    expect(first.faults.pending).toBe(0);
    await first.close();

    const second = await startLocalCloud({ app, dataDir });
    await put('Plain', 'e3', second);
    await sees('Plain', 'e3', second);
    expect(keysOf('Plain', second).filter((key) => key === 'e1')).toEqual([]);
    const handled = [...keysOf('Plain', first), ...keysOf('Plain', second)];
    expect(handled).toEqual(expect.arrayContaining(['e1', 'e2', 'e3']));
    await second.close();
    rmSync(dataDir, { recursive: true });
  });

  it('of a reader that began at the end does not skip what came between', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
    const quiet = appOf((stack) => {
      const table = new TableV2(stack, 'Plain', {
        partitionKey: { name: 'pk', type: AttributeType.STRING },
        dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      });
      new CfnOutput(stack, 'PlainName', { value: table.tableName });
    });
    const reading = appOf((stack) => tableWith(stack, 'Plain', { startingPosition: StartingPosition.LATEST }));
    const steps: [typeof quiet, string][] = [
      [quiet, 'old'],
      [reading, ''],
      [quiet, 'between'],
      [reading, 'new'],
    ];
    let last: Cloud | undefined;
    for (const [app, key] of steps) {
      await last?.close();
      last = await startLocalCloud({ app, dataDir });
      if (key !== '') await put('Plain', key, last);
    }
    if (last) await sees('Plain', 'new', last);
    expect(last && keysOf('Plain', last)).toEqual(['between', 'new']);
    await last?.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('a mapping without permission to read the stream', () => {
  it('ends the start with what is missing', async () => {
    const app = appOf((stack) => {
      const table = new TableV2(stack, 'Table', {
        partitionKey: { name: 'pk', type: AttributeType.STRING },
        dynamoStream: StreamViewType.KEYS_ONLY,
      });
      const { functionName } = functionOf(stack, 'Reader', READER);
      new CfnEventSourceMapping(stack, 'Mapping', {
        eventSourceArn: table.tableStreamArn,
        functionName,
        startingPosition: 'LATEST',
      });
    });
    await expect(startLocalCloud({ app })).rejects.toThrow(
      'The role of test/Reader is not allowed dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator on',
    );
  });
});

describe('the record of an item that expired', () => {
  it('names who deleted it', () => {
    const userIdentity = { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' };
    const record = { eventName: 'REMOVE' as const, userIdentity, dynamodb: { Keys: {} } };
    expect(streamEvent(record, { region: 'r', streamArn: 's' })).toMatchObject({
      userIdentity: { principalId: 'dynamodb.amazonaws.com', type: 'Service' },
    });
  });
});

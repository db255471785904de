import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { CfnEventSourceMapping, FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, clientOptions, eventually, functionOf, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { LASTING } from '../../../support/runner/machine-time.ts';

/** Fails as the bodies say: `fail` alone, `all` all, `nonsense` by its answer. Prints every batch. */
const WORKER = `const lasting = ${LASTING};
export const handler = async ({ Records }) => {
  console.log(JSON.stringify({ records: Records }));
  if (Records.some(({ body }) => body === 'all')) throw new Error('all failed');
  if (Records.some(({ body }) => body === 'nonsense')) return { batchItemFailures: [{ itemIdentifier: 'who' }] };
  if (Records.some(({ body }) => body.startsWith('slow'))) await lasting(300);
  return { batchItemFailures: Records.filter(({ body }) => body === 'fail').map(({ messageId }) => ({ itemIdentifier: messageId })) };
};`;

let cloud: Cloud;
let sqs: SQSClient;

function queueWith(stack: Stack, id: string, props: SqsEventSourceProps, { fifo }: { fifo?: true } = {}) {
  const dead = new Queue(stack, `${id}Dead`, { fifo });
  const queue = new Queue(stack, id, {
    fifo,
    visibilityTimeout: Duration.seconds(60),
    deadLetterQueue: { queue: dead, maxReceiveCount: 2 },
  });
  functionOf(stack, `${id}Worker`, WORKER).addEventSource(new SqsEventSource(queue, props));
  new CfnOutput(stack, `${id}Url`, { value: queue.queueUrl });
  new CfnOutput(stack, `${id}DeadUrl`, { value: dead.queueUrl });
}

beforeAll(async () => {
  cloud = await startLocalCloud({
    app: appOf((stack) => {
      queueWith(stack, 'Partial', {
        batchSize: 10,
        maxBatchingWindow: Duration.seconds(1),
        reportBatchItemFailures: true,
      });
      queueWith(stack, 'Whole', { batchSize: 1 });
      queueWith(stack, 'Filtered', {
        batchSize: 1,
        filters: [FilterCriteria.filter({ body: { kind: FilterRule.isEqual('wanted') } })],
      });
      queueWith(stack, 'Narrow', { batchSize: 1, maxConcurrency: 2 });
      queueWith(stack, 'Ordered', { batchSize: 1, reportBatchItemFailures: true }, { fifo: true });
    }),
  });
  sqs = new SQSClient(clientOptions(cloud));
});
afterAll(() => cloud.close());

const send = (queue: string, MessageBody: string, MessageGroupId?: string) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: cloud.outputs[`${queue}Url`],
      MessageBody,
      MessageGroupId,
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'x' } },
    }),
  );

async function count(output: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: cloud.outputs[output], AttributeNames: ['All'] }),
  );
  const counts = new Map(Object.entries(Attributes ?? {}));
  return ['', 'NotVisible', 'Delayed'].reduce(
    (sum, kind) => sum + Number(counts.get(`ApproximateNumberOfMessages${kind}`)),
    0,
  );
}
const drained = (queue: string) =>
  eventually(
    cloud,
    () => count(`${queue}Url`),
    (left) => left === 0,
  );

interface SqsRecord {
  readonly body: string;
  readonly messageId: string;
  readonly attributes: Record<string, string>;
}
const records = (worker: string) => cloud.logsOf(worker).flatMap(({ records: seen }) => (seen ?? []) as SqsRecord[]);
const bodies = (worker: string) => records(worker).map(({ body }) => body);

describe('a message', () => {
  it('reaches the function in the shape of Lambda', async () => {
    await send('Whole', 'hello');
    await drained('Whole');
    expect(records('WholeWorker').find(({ body }) => body === 'hello')).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiptHandle: expect.any(String),
      body: 'hello',
      attributes: expect.objectContaining({
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      }),
      messageAttributes: { kind: { stringValue: 'x', dataType: 'String', stringListValues: [], binaryListValues: [] } },
      md5OfBody: '5d41402abc4b2a76b9719d911017c592',
      eventSource: 'aws:sqs',
      eventSourceARN: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:test-Whole/),
      awsRegion: 'us-east-1',
    });
  });

  it('tells the function its group', async () => {
    await send('Whole', 'grouped', 'tenant-1');
    await drained('Whole');
    const groupOf = new Map(records('WholeWorker').map(({ body, attributes }) => [body, attributes['MessageGroupId']]));
    expect(groupOf.get('grouped')).toBe('tenant-1');
    expect(groupOf.get('hello')).toBeUndefined();
  });

  it('that fails comes again, and ends in the dead-letter queue after as many receives as the queue allows', async () => {
    await send('Whole', 'all');
    await drained('Whole');
    expect(await count('WholeDeadUrl')).toBe(1);
    const attempts = records('WholeWorker').filter(({ body }) => body === 'all');
    expect(attempts.map(({ attributes }) => attributes['ApproximateReceiveCount'])).toEqual(['1', '2']);
  });

  it('of which a batch says that it failed comes again alone', async () => {
    const dead = await count('PartialDeadUrl');
    const before = bodies('PartialWorker').length;
    const Entries = ['one', 'fail', 'two'].map((MessageBody, i) => ({ Id: String(i), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: cloud.outputs['PartialUrl'], Entries }));
    await drained('Partial');
    expect(bodies('PartialWorker').slice(before).sort()).toEqual(['fail', 'fail', 'one', 'two']);
    expect(await count('PartialDeadUrl')).toBe(dead + 1);
  });

  it('is not deleted after an answer that cannot be understood', async () => {
    const dead = await count('PartialDeadUrl');
    await send('Partial', 'nonsense');
    await drained('Partial');
    expect(await count('PartialDeadUrl')).toBe(dead + 1);
  });

  it('that no filter wants is gone, and the function never sees it', async () => {
    await send('Filtered', '{"kind":"other"}');
    await send('Filtered', 'no json');
    await send('Filtered', '{"kind":"wanted"}');
    await drained('Filtered');
    expect(bodies('FilteredWorker')).toEqual(['{"kind":"wanted"}']);
    expect(await count('FilteredDeadUrl')).toBe(0);
  });
});

describe('many messages', () => {
  it('are worked on by no more functions at a time than allowed, and all of them', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => `slow ${i}`);
    await Promise.all(texts.map((text) => send('Narrow', text)));
    await drained('Narrow');
    expect(bodies('NarrowWorker').sort()).toEqual(texts);
  });

  it('of one group are worked on in order', async () => {
    for (const text of ['1', '2', '3', '4']) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: cloud.outputs['OrderedUrl'],
          MessageBody: text,
          MessageGroupId: 'g',
          MessageDeduplicationId: text,
        }),
      );
    }
    await drained('Ordered');
    expect(bodies('OrderedWorker')).toEqual(['1', '2', '3', '4']);
  });

  it('arrive together when the mapping waits for a batch', async () => {
    const before = cloud.logsOf('PartialWorker').length;
    const Entries = ['a', 'b', 'c', 'd'].map((MessageBody, i) => ({ Id: String(i), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: cloud.outputs['PartialUrl'], Entries }));
    await drained('Partial');
    expect(cloud.logsOf('PartialWorker')).toHaveLength(before + 1);
  });
});

describe('a mapping that AWS would refuse', () => {
  const mapping = (stack: Stack, queue: Queue, options: { timeoutSeconds: number; permitted?: string[] }) => {
    const worker = functionOf(stack, 'Worker', WORKER, { timeout: Duration.seconds(options.timeoutSeconds) });
    if (options.permitted) queue.grant(worker, ...options.permitted);
    new CfnEventSourceMapping(stack, 'Mapping', { eventSourceArn: queue.queueArn, functionName: worker.functionName });
  };

  it('ends the start when the role may not read the queue', async () => {
    const app = appOf((stack) =>
      mapping(stack, new Queue(stack, 'Queue'), { timeoutSeconds: 3, permitted: ['sqs:ReceiveMessage'] }),
    );
    await expect(startLocalCloud({ app })).rejects.toThrow(
      /The role of test\/Worker is not allowed sqs:DeleteMessage, sqs:GetQueueAttributes on arn:aws:sqs:/,
    );
  });

  it('ends the start when a message would come back while it is worked on', async () => {
    const permitted = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
    const app = appOf((stack) => mapping(stack, new Queue(stack, 'Queue'), { timeoutSeconds: 31, permitted }));
    await expect(startLocalCloud({ app })).rejects.toThrow(
      'shows a message again after 30 s, while the function may take 31 s',
    );
  });
});

describe('a failed message', () => {
  it('stays hidden for its visibility timeout when nobody shortens it, as on AWS', async () => {
    const app = appOf((stack) => queueWith(stack, 'Whole', { batchSize: 1 }));
    const plain = await startLocalCloud({ app, failedMessagesReturnAfterSeconds: null });
    const client = new SQSClient(clientOptions(plain));
    const QueueUrl = plain.outputs['WholeUrl'];
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'all' }));
    await plain.settled();
    expect(plain.logsOf('WholeWorker').map(({ level }) => level)).toContain('ERROR');
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages).toEqual([]);
    await plain.close();
  });
});

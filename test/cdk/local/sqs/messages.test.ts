import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { polled } from '../../../support/runner/machine-time.ts';

let endpoint: LocalEndpoint;
let client: SQSClient;
let queues = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  client = new SQSClient(endpoint.clientOptions());
});
afterAll(() => endpoint.close());

type Attributes = Partial<Record<QueueAttributeName, string>>;
const arnOf = (url: string) => `arn:aws:sqs:${REGION}:${ACCOUNT_ID}:${url.split('/').at(-1)}`;

async function queue(attributes: Attributes = {}): Promise<string> {
  const QueueName = `queue-${++queues}${attributes.FifoQueue ? '.fifo' : ''}`;
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes: attributes }));
  return QueueUrl;
}

/** A queue with a dead-letter queue behind it. */
async function redriven(maxReceiveCount: number) {
  const failed = await queue();
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf(failed), maxReceiveCount });
  return { failed, source: await queue({ RedrivePolicy }) };
}

function send(QueueUrl: string, MessageBody: string, more: Partial<SendMessageCommandInput> = {}) {
  return client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));
}

async function receive(QueueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
    ...more,
  });
  return (await client.send(command)).Messages ?? [];
}

async function bodies(
  QueueUrl: string,
  more: Partial<ReceiveMessageCommandInput> = {},
): Promise<(string | undefined)[]> {
  return (await receive(QueueUrl, { MaxNumberOfMessages: 10, ...more })).map(({ Body }) => Body);
}

describe('a message', () => {
  test('arrives as it was sent', async () => {
    const url = await queue();
    const MessageAttributes = {
      trace: { DataType: 'String', StringValue: 'abc' },
      count: { DataType: 'Number.int', StringValue: '3' },
      raw: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
    };
    const sent = await send(url, 'héllo 🙂', { MessageAttributes });
    const [message] = await receive(url);
    expect(message).toMatchObject({ MessageId: sent.MessageId, Body: 'héllo 🙂', MessageAttributes });
    expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
  });

  test('has only the requested attributes', async () => {
    const url = await queue({ VisibilityTimeout: '0' });
    const string = (StringValue: string) => ({ DataType: 'String', StringValue });
    await send(url, 'x', {
      MessageAttributes: { 'order.id': string('1'), 'order.kind': string('2'), other: string('3') },
    });
    const names = async (...MessageAttributeNames: string[]) =>
      Object.keys((await receive(url, { MessageAttributeNames }))[0]?.MessageAttributes ?? {});
    expect(await names('order.*')).toEqual(['order.id', 'order.kind']);
    expect(await names('other')).toEqual(['other']);
    expect(await names()).toEqual([]);
  });

  test('on a standard queue gives back its group', async () => {
    const url = await queue();
    await send(url, 'fair', { MessageGroupId: 'tenant-1' });
    expect((await receive(url))[0]?.Attributes).toMatchObject({
      MessageGroupId: 'tenant-1',
      SenderId: `arn:aws:iam::${ACCOUNT_ID}:root`,
    });
  });

  test('is refused when it is too late, too large, empty or unreadable', async () => {
    const url = await queue();
    await expect(send(url, 'late', { DelaySeconds: 901 })).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(send(url, 'x'.repeat(1_048_577))).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(send(url, '')).rejects.toMatchObject({ name: 'MissingParameter' });
    await expect(send(url, 'bell \u0007')).rejects.toMatchObject({ name: 'InvalidMessageContents' });
    await send(url, 'x'.repeat(1_048_576), { DelaySeconds: 900 });
  });
});

describe('visibility', () => {
  test('hides a received message for its time and counts how often it was received', async () => {
    const url = await queue({ VisibilityTimeout: '30' });
    await send(url, 'work');
    const [first] = await receive(url);
    expect(first?.Attributes?.ApproximateReceiveCount).toBe('1');
    expect(await receive(url)).toEqual([]);
    endpoint.advance(29_000);
    expect(await receive(url)).toEqual([]);
    endpoint.advance(2000);
    const [second] = await receive(url);
    expect(second?.Attributes).toMatchObject({
      ApproximateReceiveCount: '2',
      ApproximateFirstReceiveTimestamp: first?.Attributes?.ApproximateFirstReceiveTimestamp,
    });
    // The handle of the first receipt is stale, so nothing is deleted.
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle }));
    endpoint.advance(31_000);
    const [third] = await receive(url);
    expect(third?.Attributes?.ApproximateReceiveCount).toBe('3');
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: third?.ReceiptHandle }));
    endpoint.advance(31_000);
    expect(await receive(url)).toEqual([]);
  });

  test('is prolonged, or given up at once', async () => {
    const url = await queue({ VisibilityTimeout: '30' });
    await send(url, 'work');
    const [message] = await receive(url);
    const change = (VisibilityTimeout: number) =>
      client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout }),
      );
    await change(120);
    endpoint.advance(60_000);
    expect(await receive(url)).toEqual([]);
    await change(0);
    expect(await bodies(url)).toEqual(['work']);
    await expect(change(43_201)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(change(10)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  test('of a message that nobody holds cannot be changed', async () => {
    const url = await queue({ VisibilityTimeout: '5' });
    await send(url, 'work');
    const [message] = await receive(url);
    endpoint.advance(6000);
    const late = new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: message?.ReceiptHandle,
      VisibilityTimeout: 10,
    });
    await expect(client.send(late)).rejects.toMatchObject({ name: 'MessageNotInflight' });
    const nonsense = new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: 'nonsense' });
    await expect(client.send(nonsense)).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  });

  test('of a delayed message begins after its delay', async () => {
    const url = await queue({ DelaySeconds: '10' });
    await send(url, 'by the queue');
    await send(url, 'by itself', { DelaySeconds: 60 });
    await send(url, 'at once', { DelaySeconds: 0 });
    const counts = async () => {
      const names = [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ] as const;
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }),
      );
      return names.map((name) => Attributes?.[name]);
    };
    expect(await counts()).toEqual(['1', '0', '2']);
    expect(await bodies(url)).toEqual(['at once']);
    expect(await counts()).toEqual(['0', '1', '2']);
    endpoint.advance(11_000);
    expect(await bodies(url)).toEqual(['by the queue']);
    endpoint.advance(50_000);
    expect(await bodies(url)).toContain('by itself');
  });
});

describe('waiting', () => {
  test('ends as soon as a message arrives', async () => {
    const url = await queue();
    const waiting = receive(url, { WaitTimeSeconds: 20 });
    await send(url, 'here');
    expect((await waiting)[0]?.Body).toBe('here');
  });

  test('ends as soon as a hidden message is visible again', async () => {
    const url = await queue({ VisibilityTimeout: '1' });
    await send(url, 'back');
    await receive(url);
    expect((await receive(url, { WaitTimeSeconds: 20 }))[0]?.Body).toBe('back');
  });

  test('by a caller who has gone away takes no message from others', async () => {
    const url = await queue();
    const abort = new AbortController();
    const gone = client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 20 }), {
      abortSignal: abort.signal,
    });
    const isAwaited = () => endpoint.arrivals.isAwaited(url.split('/').at(-1) ?? '');
    await polled(isAwaited, (awaited) => awaited);
    abort.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    await polled(isAwaited, (awaited) => !awaited);
    await send(url, 'for somebody else');
    expect(await bodies(url)).toEqual(['for somebody else']);
  });
});

describe('a message that fails too often', () => {
  test('moves to the dead-letter queue with the ARN of its source', async () => {
    const { source, failed } = await redriven(2);
    const sent = await send(source, 'poison');
    for (let i = 0; i < 2; i++) {
      expect(await bodies(source)).toEqual(['poison']);
      endpoint.advance(31_000);
    }
    expect(await bodies(source)).toEqual([]);
    const [dead] = await receive(failed);
    expect(dead).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'poison',
      Attributes: { DeadLetterQueueSourceArn: arnOf(source) },
    });
  });

  test('is moved back on request, as a new message', async () => {
    const { source, failed } = await redriven(1);
    const { MessageId } = await send(source, 'poison');
    await receive(source);
    endpoint.advance(31_000);
    await receive(source);
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: arnOf(failed) }));
    const [back] = await receive(source);
    expect(back).toMatchObject({ Body: 'poison', Attributes: { ApproximateReceiveCount: '1' } });
    expect(back?.MessageId).not.toBe(MessageId);
    expect(await bodies(failed)).toEqual([]);
    const { Results } = await client.send(new ListMessageMoveTasksCommand({ SourceArn: arnOf(failed) }));
    expect(Results).toMatchObject([
      { Status: 'COMPLETED', SourceArn: arnOf(failed), ApproximateNumberOfMessagesMoved: 1 },
    ]);
  });

  test('is moved to another queue, which also needs permission', async () => {
    const { failed } = await redriven(1);
    const other = await queue();
    await send(failed, 'by hand');
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: arnOf(failed) }));
    const { Results } = await client.send(new ListMessageMoveTasksCommand({ SourceArn: arnOf(failed) }));
    expect(Results).toMatchObject([{ Status: 'FAILED', FailureReason: 'CouldNotDetermineMessageSource' }]);
    const start = new StartMessageMoveTaskCommand({ SourceArn: arnOf(failed), DestinationArn: arnOf(other) });
    const mover = new SQSClient(endpoint.clientOptions(endpoint.role('mover', allowing('sqs:*', arnOf(failed)))));
    await expect(mover.send(start)).rejects.toMatchObject({ name: 'AccessDenied' });
    await client.send(start);
    expect(await bodies(other)).toEqual(['by hand']);
    const wrong = new StartMessageMoveTaskCommand({ SourceArn: arnOf(other) });
    await expect(client.send(wrong)).rejects.toMatchObject({
      message: 'Source queue must be configured as a Dead Letter Queue.',
    });
  });

  test('is deleted after the retention period', async () => {
    const url = await queue({ MessageRetentionPeriod: '60' });
    await send(url, 'old');
    endpoint.advance(61_000);
    expect(await bodies(url)).toEqual([]);
    await send(url, 'old');
    endpoint.advance(61_000);
    await endpoint.sweep();
    expect(await bodies(url)).toEqual([]);
  });
});

describe('a batch', () => {
  test('succeeds and fails entry by entry', async () => {
    const url = await queue();
    const entry = (Id: string, more = {}) => ({ Id, MessageBody: Id, ...more });
    const result = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: [entry('a'), entry('late', { DelaySeconds: 901 }), entry('b')],
      }),
    );
    expect(result.Successful?.map(({ Id }) => Id)).toEqual(['a', 'b']);
    expect(result.Failed).toMatchObject([{ Id: 'late', Code: 'InvalidParameterValue', SenderFault: true }]);
    const received = await receive(url, { MaxNumberOfMessages: 10 });
    const Entries = received.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle }));
    const visible = Entries.map((one) => ({ ...one, VisibilityTimeout: 0 }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries: visible }));
    const again = await receive(url, { MaxNumberOfMessages: 10 });
    const deletion = [
      ...again.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle })),
      { Id: 'bad', ReceiptHandle: 'nonsense' },
    ];
    const deleted = await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: deletion }));
    expect(deleted.Failed).toMatchObject([{ Id: 'bad', Code: 'ReceiptHandleIsInvalid' }]);
    endpoint.advance(31_000);
    expect(await bodies(url)).toEqual([]);
  });

  test('is refused as a whole when it is malformed', async () => {
    const QueueUrl = await queue();
    const entries = (...ids: string[]) =>
      new SendMessageBatchCommand({ QueueUrl, Entries: ids.map((Id) => ({ Id, MessageBody: 'x' })) });
    const many = Array.from({ length: 11 }, (_, i) => `${i}`);
    await expect(client.send(entries())).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
    await expect(client.send(entries(...many))).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' });
    await expect(client.send(entries('a', 'a'))).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' });
    await expect(client.send(entries('a b'))).rejects.toMatchObject({ name: 'InvalidBatchEntryId' });
    const large = new SendMessageBatchCommand({
      QueueUrl,
      Entries: ['a', 'b'].map((Id) => ({ Id, MessageBody: 'x'.repeat(600_000) })),
    });
    await expect(client.send(large)).rejects.toMatchObject({ name: 'BatchRequestTooLong' });
  });

  test('needs the permission of single messages', async () => {
    const QueueUrl = await queue();
    const batch = new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', MessageBody: 'a' }] });
    const sender = (action: string) =>
      new SQSClient(
        endpoint.clientOptions(endpoint.role(`batch${action.slice(4)}`, allowing(action, arnOf(QueueUrl)))),
      );
    await sender('sqs:SendMessage').send(batch);
    await expect(sender('sqs:SendMessageBatch').send(batch)).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

describe('a FIFO queue', () => {
  const fifo = (more: Attributes = {}) => queue({ FifoQueue: 'true', ContentBasedDeduplication: 'true', ...more });

  test('gives each group in order and holds the rest of a group back while one of its messages is in flight', async () => {
    const url = await fifo();
    for (const body of ['a1', 'b1', 'a2', 'b2', 'a3']) await send(url, body, { MessageGroupId: body.slice(0, 1) });
    const [first, second] = await receive(url, { MaxNumberOfMessages: 2 });
    expect([first?.Body, second?.Body]).toEqual(['a1', 'b1']);
    expect(await bodies(url)).toEqual([]);
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle }));
    expect(await bodies(url)).toEqual(['a2', 'a3']);
    endpoint.advance(31_000);
    expect(await bodies(url)).toEqual(['b1', 'a2', 'b2', 'a3']);
  });

  test('takes the same message once in five minutes', async () => {
    const url = await fifo();
    const first = await send(url, 'once', { MessageGroupId: 'g' });
    const again = await send(url, 'once', { MessageGroupId: 'g' });
    expect(again).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber });
    expect(await bodies(url)).toEqual(['once']);
    endpoint.advance(301_000);
    await send(url, 'once', { MessageGroupId: 'g' });
    expect(await bodies(url)).toEqual(['once', 'once']);
  });

  test('needs a group, and no delay of a single message', async () => {
    const url = await fifo();
    await expect(send(url, 'x')).rejects.toMatchObject({ name: 'MissingParameter' });
    await expect(send(url, 'x', { MessageGroupId: 'g', DelaySeconds: 5 })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
    const strict = await fifo({ ContentBasedDeduplication: 'false' });
    await expect(send(strict, 'x', { MessageGroupId: 'g' })).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(send(await queue(), 'x', { MessageDeduplicationId: 'd' })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });
});

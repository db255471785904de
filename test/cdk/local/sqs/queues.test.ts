import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  type QueueAttributeName,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';

const arnOf = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT_ID}:${name}`;
let endpoint: LocalEndpoint;
let client: SQSClient;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  client = new SQSClient(endpoint.clientOptions());
});
afterAll(() => endpoint.close());

async function create(
  QueueName: string,
  Attributes: Partial<Record<QueueAttributeName, string>> = {},
): Promise<string> {
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  return QueueUrl;
}

async function attributesOf(QueueUrl: string) {
  const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return Attributes;
}

describe('a queue', () => {
  test('has a URL on this endpoint, which SDKs call', async () => {
    const QueueUrl = await create('located');
    expect(QueueUrl).toBe(`${endpoint.url}/${ACCOUNT_ID}/located`);
    expect(await client.send(new GetQueueUrlCommand({ QueueName: 'located' }))).toMatchObject({ QueueUrl });
    expect(await attributesOf(QueueUrl)).toMatchObject({
      QueueArn: arnOf('located'),
      VisibilityTimeout: '30',
      MessageRetentionPeriod: '345600',
    });
  });

  test('can be created again with the same attributes only', async () => {
    await create('again', { VisibilityTimeout: '60' });
    await create('again', { VisibilityTimeout: '60' });
    await expect(create('again', { VisibilityTimeout: '61' })).rejects.toMatchObject({ name: 'QueueNameExists' });
  });

  test('is refused with attributes that SQS refuses', async () => {
    await expect(create('slow', { DelaySeconds: '901' })).rejects.toMatchObject({ name: 'InvalidAttributeValue' });
    await expect(create('patient', { ReceiveMessageWaitTimeSeconds: '21' })).rejects.toMatchObject({
      name: 'InvalidAttributeValue',
    });
    await expect(create('no spaces')).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(create('ordered', { FifoQueue: 'true' })).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf('missing'), maxReceiveCount: 3 });
    await expect(create('redriven', { RedrivePolicy })).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  test('changes its attributes', async () => {
    const QueueUrl = await create('changing');
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '5' } }));
    expect(await attributesOf(QueueUrl)).toMatchObject({ VisibilityTimeout: '5' });
  });

  test('takes no tags', async () => {
    const tagged = new CreateQueueCommand({ QueueName: 'tagged', tags: { a: '1' } });
    await expect(client.send(tagged)).rejects.toMatchObject({ name: 'UnsupportedOperation' });
  });

  test('is listed by prefix, page by page', async () => {
    for (const name of ['page-c', 'page-a', 'page-b']) await create(name);
    const first = await client.send(new ListQueuesCommand({ QueueNamePrefix: 'page-', MaxResults: 2 }));
    expect(first.QueueUrls?.map((url) => url.split('/').at(-1))).toEqual(['page-a', 'page-b']);
    const second = await client.send(
      new ListQueuesCommand({ QueueNamePrefix: 'page-', MaxResults: 2, NextToken: first.NextToken }),
    );
    expect(second.QueueUrls?.map((url) => url.split('/').at(-1))).toEqual(['page-c']);
    expect(second.NextToken).toBeUndefined();
  });

  test('lists the queues whose dead letters it receives', async () => {
    const failed = await create('failed');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf('failed'), maxReceiveCount: 3 });
    const source = await create('failing', { RedrivePolicy });
    expect(await client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: failed }))).toMatchObject({
      queueUrls: [source],
    });
  });

  test('that is purged or deleted has no messages', async () => {
    const QueueUrl = await create('short-lived');
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'gone' }));
    await client.send(new PurgeQueueCommand({ QueueUrl }));
    expect(await attributesOf(QueueUrl)).toMatchObject({ ApproximateNumberOfMessages: '0' });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'gone' }));
    await client.send(new DeleteQueueCommand({ QueueUrl }));
    await expect(attributesOf(QueueUrl)).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    expect(await attributesOf(await create('short-lived'))).toMatchObject({ ApproximateNumberOfMessages: '0' });
  });
});

describe('permissions', () => {
  test('are needed per queue and operation', async () => {
    const QueueUrl = await create('guarded');
    const other = await create('guarded-other');
    const sender = new SQSClient(
      endpoint.clientOptions(endpoint.role('sender', allowing('sqs:SendMessage', arnOf('guarded')))),
    );
    await sender.send(new SendMessageCommand({ QueueUrl, MessageBody: 'mine' }));
    await expect(sender.send(new SendMessageCommand({ QueueUrl: other, MessageBody: 'theirs' }))).rejects.toMatchObject(
      { name: 'AccessDenied' },
    );
    await expect(sender.send(new PurgeQueueCommand({ QueueUrl }))).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('can be taken away by the policy of the queue', async () => {
    const Policy = JSON.stringify({
      Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:SendMessage', Resource: '*' }],
    });
    const QueueUrl = await create('closed', { Policy });
    const send = new SendMessageCommand({ QueueUrl, MessageBody: 'no' });
    await expect(client.send(send)).rejects.toMatchObject({ name: 'AccessDenied' });
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: '' } }));
    await client.send(send);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalEndpoint, REGION, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { polled } from '../../../support/runner/machine-time.ts';

const PROGRAM = fileURLToPath(new URL('run-endpoint.command.ts', import.meta.url));
let folder: string;
const children: ChildProcess[] = [];
const endpoints: LocalEndpoint[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'endpoint-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const endpoint of endpoints.splice(0)) await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
});

async function runProcess(): Promise<{ child: ChildProcess; url: string; engine: string }> {
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(child.stdout ?? child, 'data');
  return { child, ...JSON.parse(String(line)) };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function start(dataDir: string | null = folder): Promise<LocalEndpoint> {
  const endpoint = await startLocalEndpoint({ dataDir });
  endpoints.push(endpoint);
  return endpoint;
}

function clients(endpoint: string) {
  const options = { endpoint, region: REGION, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  return { dynamodb: new DynamoDBClient(options), s3: new S3Client(options), sqs: new SQSClient(options) };
}

const atQueue = (url: string, name: string) => `${url}/000000000000/${name}`;
const TableName = 'kept-table';
const at = { Bucket: 'kept-bucket' };
const parts = { ...at, Key: 'parts' };

describe('an endpoint whose process is killed', () => {
  test('has lost no table, item or setting', async () => {
    const { child, url } = await runProcess();
    const { dynamodb } = clients(url);
    await dynamodb.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    await dynamodb.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } }),
    );
    const Item = { pk: { S: 'kept' } };
    await dynamodb.send(new PutItemCommand({ TableName, Item }));
    await kill(child);

    const again = clients((await start()).url).dynamodb;
    expect(await again.send(new GetItemCommand({ TableName, Key: Item }))).toMatchObject({ Item });
    expect(await again.send(new DescribeTimeToLiveCommand({ TableName }))).toMatchObject({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' },
    });
  });

  test('has lost no message, whether ready, delayed or in flight', async () => {
    const { child, url } = await runProcess();
    const { sqs } = clients(url);
    for (const QueueName of ['ready', 'delayed', 'flying']) await sqs.send(new CreateQueueCommand({ QueueName }));
    await sqs.send(
      new CreateQueueCommand({
        QueueName: 'once.fifo',
        Attributes: { FifoQueue: 'true', ContentBasedDeduplication: 'true' },
      }),
    );
    await sqs.send(new SendMessageCommand({ QueueUrl: atQueue(url, 'ready'), MessageBody: 'ready' }));
    await sqs.send(
      new SendMessageCommand({ QueueUrl: atQueue(url, 'delayed'), MessageBody: 'delayed', DelaySeconds: 600 }),
    );
    await sqs.send(new SendMessageCommand({ QueueUrl: atQueue(url, 'flying'), MessageBody: 'flying' }));
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: atQueue(url, 'flying'), VisibilityTimeout: 600 }),
    );
    const once = { MessageBody: 'once', MessageGroupId: 'g' };
    const first = await sqs.send(new SendMessageCommand({ QueueUrl: atQueue(url, 'once.fifo'), ...once }));
    await kill(child);

    const endpoint = await start();
    const again = clients(endpoint.url).sqs;
    const receive = async (name: string) => {
      const command = new ReceiveMessageCommand({
        QueueUrl: atQueue(endpoint.url, name),
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      });
      return ((await again.send(command)).Messages ?? []).map(
        ({ Body, Attributes }) => `${Body} ${Attributes?.ApproximateReceiveCount}`,
      );
    };
    expect(await receive('ready')).toEqual(['ready 1']);
    expect(await receive('delayed')).toEqual([]);
    expect(await receive('flying')).toEqual([]);
    const repeated = await again.send(
      new SendMessageCommand({ QueueUrl: atQueue(endpoint.url, 'once.fifo'), ...once }),
    );
    expect(repeated.MessageId).toBe(first.MessageId);
    endpoint.advance(601_000);
    expect(await receive('delayed')).toEqual(['delayed 1']);
    expect(await receive('flying')).toEqual(['flying 2']);
    // The handle from before the kill is stale by now, but it is still a handle.
    await again.send(
      new DeleteMessageCommand({
        QueueUrl: atQueue(endpoint.url, 'flying'),
        ReceiptHandle: Messages?.[0]?.ReceiptHandle,
      }),
    );
  });

  test('has lost no object or open upload, and clears away what was half written', async () => {
    const { child, url } = await runProcess();
    const { s3 } = clients(url);
    const large = Buffer.alloc(300_000, 'l');
    await s3.send(new CreateBucketCommand(at));
    await s3.send(new PutObjectCommand({ ...at, Key: 'small', Body: 'small', Metadata: { a: '1' } }));
    await s3.send(new PutObjectCommand({ ...at, Key: 'large', Body: large }));
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(parts));
    const { ETag } = await s3.send(new UploadPartCommand({ ...parts, UploadId, PartNumber: 1, Body: large }));
    await kill(child);
    const halfWritten = join(folder, 's3/blobs/ab', `lab${'0'.repeat(30)}`);
    writeFileSync(halfWritten, 'half');

    const again = clients((await start()).url).s3;
    const small = await again.send(new GetObjectCommand({ ...at, Key: 'small' }));
    expect(small.Metadata).toEqual({ a: '1' });
    expect(await small.Body?.transformToString()).toBe('small');
    expect(
      (await (await again.send(new GetObjectCommand({ ...at, Key: 'large' }))).Body?.transformToByteArray())?.length,
    ).toBe(large.length);
    expect(await again.send(new ListPartsCommand({ ...parts, UploadId }))).toMatchObject({
      Parts: [{ PartNumber: 1, ETag }],
    });
    await again.send(
      new CompleteMultipartUploadCommand({ ...parts, UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }),
    );
    expect(readdirSync(join(folder, 's3/blobs/ab'))).not.toContain(halfWritten.split('/').at(-1));
  });

  test('takes its engine with it', async () => {
    const { child, engine } = await runProcess();
    expect((await fetch(engine)).status).toBeGreaterThan(0);
    await kill(child);
    await expect
      .poll(
        () =>
          fetch(engine).then(
            () => 'answers',
            () => 'gone',
          ),
        { timeout: 5000 },
      )
      .toBe('gone');
  });
});

describe('a data folder', () => {
  test('in use by another process is refused, with its owner named', async () => {
    const { child } = await runProcess();
    await expect(start()).rejects.toThrow(
      `${folder} is in use by process ${child.pid}. Stop it, or choose another data folder.`,
    );
  });

  test('in use by this process is refused, and free again afterwards', async () => {
    const first = await start();
    await expect(startLocalEndpoint({ dataDir: folder })).rejects.toThrow('is in use by');
    await first.close();
    endpoints.pop();
    await start();
  });

  test('is free again after a kill, whatever the lock file says', async () => {
    await kill((await runProcess()).child);
    writeFileSync(join(folder, 'owner.txt'), `process ${process.pid}`);
    await start();
  });

  test('that is closed holds everything', async () => {
    const first = await start();
    await clients(first.url).s3.send(new CreateBucketCommand(at));
    await clients(first.url).s3.send(new PutObjectCommand({ ...at, Key: 'a', Body: 'a' }));
    await first.close();
    endpoints.pop();
    const second = await start();
    expect(
      await (await clients(second.url).s3.send(new GetObjectCommand({ ...at, Key: 'a' }))).Body?.transformToString(),
    ).toBe('a');
  });
});

describe('two endpoints', () => {
  test('in one process know nothing of each other', async () => {
    const [one, two] = [await start(null), await start(null)];
    await clients(one.url).s3.send(new CreateBucketCommand(at));
    await expect(clients(two.url).s3.send(new PutObjectCommand({ ...at, Key: 'a', Body: 'a' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
    await clients(one.url).sqs.send(new CreateQueueCommand({ QueueName: 'only-one' }));
    const unknown = new SendMessageCommand({ QueueUrl: atQueue(two.url, 'only-one'), MessageBody: 'x' });
    await expect(clients(two.url).sqs.send(unknown)).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });

  test('on one port: the second says so and leaves nothing behind', async () => {
    const first = await start(null);
    await expect(startLocalEndpoint({ port: first.port, dataDir: folder })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await start();
  });
});

describe('closing', () => {
  test('ends those who wait for messages', async () => {
    const endpoint = await startLocalEndpoint();
    const { sqs } = clients(endpoint.url);
    await sqs.send(new CreateQueueCommand({ QueueName: 'waiting' }));
    const waiting = sqs.send(
      new ReceiveMessageCommand({ QueueUrl: atQueue(endpoint.url, 'waiting'), WaitTimeSeconds: 20 }),
    );
    await polled(
      () => endpoint.arrivals.isAwaited('waiting'),
      (isAwaited) => isAwaited,
    );
    await endpoint.close();
    expect((await waiting).Messages).toBeUndefined();
  });
});

describe('a clock that is moved', () => {
  test('is told in every answer, so that clients sign by it', async () => {
    const endpoint = await startLocalEndpoint();
    try {
      endpoint.advance(3_600_000);
      const { headers } = await fetch(endpoint.url);
      const ahead = Date.parse(headers.get('date') ?? '') - Date.now();
      expect(ahead).toBeGreaterThan(3_590_000);
      // The SDK corrects its clock by the refusal of its first call, and calls again.
      const { sqs } = clients(endpoint.url);
      expect(await sqs.send(new CreateQueueCommand({ QueueName: 'later' }))).toMatchObject({
        QueueUrl: expect.any(String),
      });
      expect(await sqs.send(new CreateQueueCommand({ QueueName: 'later' }))).toMatchObject({
        QueueUrl: expect.any(String),
      });
    } finally {
      await endpoint.close();
    }
  });
});

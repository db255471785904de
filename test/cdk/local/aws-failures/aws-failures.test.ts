import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AwsFailure, awsFailuresIn } from '../../../../cdk/local/aws-failures/aws-failures.ts';
import { FailingTables } from '../../../../cdk/local/aws-failures/failing-tables.ts';
import { ItemConflicts } from '../../../../cdk/local/aws-failures/item-conflicts.ts';
import { Outages } from '../../../../cdk/local/aws-failures/outages.ts';
import { Clock } from '../../../../cdk/local/clock.ts';
import { appOf, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { allowing, type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint | undefined;
afterEach(async () => {
  await endpoint?.close();
  endpoint = undefined;
});

async function like(...all: AwsFailure[]) {
  endpoint = await startLocalEndpoint({ like: new Set(all) });
  return endpoint;
}

/** A table, made before anything is refused, and a client that repeats no call. */
async function tableLike(...all: AwsFailure[]) {
  const running = await like(...all);
  const name = `failing-${crypto.randomUUID()}`;
  await createTable({ clientOptions: () => running.clientOptions() }, name);
  return { name, client: new DynamoDBClient({ ...running.clientOptions(), maxAttempts: 1 }) };
}

const put = (TableName: string, pk: string) => ({ TableName, Item: { pk: { S: pk }, sk: { S: 'a' } } });
const outcomes = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as Error)));

describe('LOCAL_AWS_LIKE', () => {
  it('names ways in which AWS is less kind, and nothing else', () => {
    expect([...awsFailuresIn({})]).toEqual([]);
    expect([...awsFailuresIn({ LOCAL_AWS_LIKE: 'purge,conflicts' })].toSorted()).toEqual(['conflicts', 'purge']);
    expect(() => awsFailuresIn({ LOCAL_AWS_LIKE: 'purge,rain' })).toThrow(
      'LOCAL_AWS_LIKE takes conflicts, throttles, gsi-lag, one-gsi, purge, not rain.',
    );
  });
});

describe('writes of one item at the same time', () => {
  it('conflict where one of them is a transaction', async () => {
    const conflicts = new ItemConflicts();
    const [single, transaction] = [false, true].map((isTransaction) => ({ items: ['a', 'b'], isTransaction }));
    const other = { items: ['b', 'c'], isTransaction: true };
    await conflicts.during(single!, async () => {
      expect(conflicts.conflictsOf(single!)).toEqual([false, false]);
      expect(conflicts.conflictsOf(other)).toEqual([true, false]);
    });
    await conflicts.during(transaction!, async () => {
      expect(conflicts.conflictsOf(single!)).toEqual([true, true]);
      expect(conflicts.conflictsOf(other)).toEqual([true, false]);
    });
    expect(conflicts.conflictsOf(other)).toEqual([false, false]);
  });

  it('are refused as on AWS while the first is under way, and done after it', async () => {
    const tables = new FailingTables(new Set(['conflicts']), (table, { pk }) => `${table} ${JSON.stringify(pk)}`);
    const single = put('things', 'same');
    const transaction = { TransactItems: [{ Put: put('things', 'other') }, { Put: single }] };
    const send = (operation: string, body: object, pass: () => Promise<unknown> = async () => 'done') =>
      tables.passed(operation, JSON.stringify(body), { pass, refuse: (refusal): unknown => refusal });
    const gate = Promise.withResolvers<unknown>();
    const first = send('TransactWriteItems', transaction, () => gate.promise);
    expect(await send('TransactWriteItems', transaction)).toMatchObject({
      code: 'TransactionCanceledException',
      members: { CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'TransactionConflict' }] },
    });
    expect(await send('PutItem', single)).toMatchObject({ code: 'TransactionConflictException' });
    expect(await send('PutItem', put('things', 'a third'))).toBe('done');
    gate.resolve('done');
    expect(await first).toBe('done');
    expect(await send('PutItem', single)).toBe('done');
  });

  it('are done or refused by a cloud that is like AWS, and one of them is done', async () => {
    const { name, client } = await tableLike('conflicts');
    const transact = () => client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put(name, 'same') }] }));
    const all = await outcomes(Array.from({ length: 20 }, transact));
    expect(all).toContain('done');
    for (const one of all) if (one !== 'done') expect(one).toBeInstanceOf(TransactionCanceledException);
    client.destroy();
  });
});

describe('a cloud that throttles', () => {
  it('refuses one of eight calls of tables, in the words of each', async () => {
    const { name, client } = await tableLike('throttles');
    const all = await outcomes(
      Array.from({ length: 16 }, (_, n) => client.send(new PutItemCommand(put(name, `${n}`)))),
    );
    expect(all.filter((one) => one === 'done')).toHaveLength(14);
    expect(all.flatMap((one) => (one === 'done' ? [] : [one.name]))).toEqual(
      Array.from({ length: 2 }, () => 'ProvisionedThroughputExceededException'),
    );
    const transactions = await outcomes(
      Array.from({ length: 8 }, (_, n) =>
        client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put(name, `t${n}`) }] })),
      ),
    );
    const [refused] = transactions.filter((one) => one instanceof TransactionCanceledException);
    expect(refused?.CancellationReasons).toMatchObject([{ Code: 'ThrottlingError' }]);
    client.destroy();
  });
});

describe('an outage', () => {
  const refusal = { status: 400, code: 'DecryptionFailure' };

  it('is of calls of its service that contain its text', () => {
    const outages = new Outages();
    const call = {
      method: 'POST',
      path: '/',
      headers: { 'x-amz-target': 'SQS.SendMessage' },
      body: Buffer.from('{"a"}'),
    };
    expect(outages.endingOf('sqs', call)).toBeUndefined();
    const end = outages.begin({ service: 'sqs', naming: 'SendMessage', ending: refusal });
    expect(outages.endingOf('sqs', call)).toBe(refusal);
    expect(outages.endingOf('s3', call)).toBeUndefined();
    expect(outages.endingOf('sqs', { ...call, headers: {} })).toBeUndefined();
    end();
    outages.begin({ service: 'sqs', naming: '"a"', ending: 'lost' });
    expect(outages.endingOf('sqs', call)).toBe('lost');
  });

  it('fails calls of functions in the words of the service, and none of the owner of the account', async () => {
    endpoint = await startLocalEndpoint();
    const url = { QueueUrl: `${endpoint.url}/000000000000/none` };
    const role = endpoint.role('one', allowing('sqs:PurgeQueue', '*'));
    const nameOf = (credentials?: typeof role) =>
      new SQSClient(endpoint!.clientOptions(credentials)).send(new PurgeQueueCommand(url)).catch(({ name }) => name);
    const before = await nameOf(role);
    const end = endpoint.outages.begin({ service: 'sqs', ending: refusal });
    expect([await nameOf(role), await nameOf()]).toEqual(['DecryptionFailure', before]);
    end();
    expect(await nameOf(role)).toBe(before);
  });
});

describe('an index of a cloud whose indexes are late', () => {
  const item = (sk: string, list: string, value: string) => ({
    pk: { S: 'a' },
    sk: { S: sk },
    list: { S: list },
    position: { S: sk },
    value: { S: value },
  });

  it('shows what was written shortly before as it was, and then as it is', async () => {
    const clock = new Clock();
    clock.stop();
    endpoint = await startLocalEndpoint({ like: new Set(['gsi-lag']), clock });
    const { name } = await createTable(
      { clientOptions: () => endpoint!.clientOptions() },
      `late-${crypto.randomUUID()}`,
    );
    const client = new DynamoDBClient(endpoint.clientOptions());
    const put = (Item: ReturnType<typeof item>) => client.send(new PutItemCommand({ TableName: name, Item }));
    const listed = async (list: string) => {
      const { Items = [], Count } = await client.send(
        new QueryCommand({
          TableName: name,
          IndexName: 'Listing',
          KeyConditionExpression: '#list = :list',
          ExpressionAttributeNames: { '#list': 'list' },
          ExpressionAttributeValues: { ':list': { S: list } },
        }),
      );
      expect(Count).toBe(Items.length);
      return Items.map(({ sk, value }) => `${sk?.S} ${value?.S}`);
    };

    await put(item('1', 'x', 'first'));
    expect(await listed('x')).toEqual([]);
    endpoint.advance(100);
    expect(await listed('x')).toEqual(['1 first']);
    await put(item('1', 'x', 'second'));
    await put(item('2', 'x', 'new'));
    expect(await listed('x')).toEqual(['1 first']);
    endpoint.indexesCatchUp();
    expect(await listed('x')).toEqual(['1 second', '2 new']);
    await put(item('2', 'y', 'moved'));
    expect([await listed('x'), await listed('y')]).toEqual([['1 second'], []]);
    endpoint.advance(100);
    expect(await listed('y')).toEqual(['2 moved']);
    client.destroy();
  });
});

describe('a table of which a revision changes two indexes', () => {
  const withIndexes = (...names: string[]) =>
    appOf((stack) => {
      new TableV2(stack, 'Table', {
        partitionKey: { name: 'pk', type: AttributeType.STRING },
        globalSecondaryIndexes: names.map((indexName) => ({
          indexName,
          partitionKey: { name: indexName, type: AttributeType.STRING },
        })),
      });
    });

  it.each([
    { like: '', after: ['one', 'two', 'three'], refuses: false },
    { like: 'one-gsi', after: ['one', 'two'], refuses: false },
    { like: 'one-gsi', after: ['one', 'two', 'three'], refuses: true },
    { like: 'one-gsi', after: ['two'], refuses: true },
  ])(
    'is refused where a cloud is like "$like", from one to $after: $refuses',
    async ({ like: ways, after, refuses }) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'one-gsi-'));
      vi.stubEnv('LOCAL_AWS_LIKE', ways);
      try {
        const first = await startLocalCloud({ app: withIndexes('one'), dataDir });
        await first.close();
        const second = startLocalCloud({ app: withIndexes(...after), dataDir }).then((cloud) => cloud.close());
        if (refuses) await expect(second).rejects.toThrow('more than one GSI');
        else await second;
      } finally {
        vi.unstubAllEnvs();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  );
});

describe('a queue', () => {
  it.each([
    { all: [], second: 'done' },
    { all: ['purge'] as const, second: 'PurgeQueueInProgress' },
  ])('like $all that is purged twice within a minute ends with $second', async ({ all, second }) => {
    const running = await like(...all);
    const sqs = new SQSClient(running.clientOptions());
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'queue' }));
    const purge = async () =>
      sqs.send(new PurgeQueueCommand({ QueueUrl })).then(
        () => 'done',
        ({ name }: Error) => name,
      );
    expect([await purge(), await purge()]).toEqual(['done', second]);
    running.advance(60_000);
    expect(await purge()).toBe('done');
    sqs.destroy();
  });
});

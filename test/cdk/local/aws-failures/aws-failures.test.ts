import {
  DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import { type AwsFailure, awsFailuresIn } from '../../../../cdk/local/aws-failures/aws-failures.ts';
import { FailingTables } from '../../../../cdk/local/aws-failures/failing-tables.ts';
import { ItemConflicts } from '../../../../cdk/local/aws-failures/item-conflicts.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
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
      'LOCAL_AWS_LIKE takes conflicts, throttles, purge, not rain.',
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

import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  ListBackupsCommand,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../../../cdk/local/dynamodb/engine.ts';
import { chosenEngine } from '../../../../cdk/local/dynamodb/engine-choice.ts';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';

const TABLE = 'things';
const TABLE_ARN = `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${TABLE}`;

let endpoint: LocalEndpoint;
let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  client = new DynamoDBClient(endpoint.clientOptions());
  streams = new DynamoDBStreamsClient(endpoint.clientOptions());
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
  await client.send(new UpdateTimeToLiveCommand({ TableName: TABLE, TimeToLiveSpecification }));
});
afterAll(() => endpoint.close());

describe('a table', () => {
  test('has an ARN of our account and region, and can be named by it', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE_ARN }));
    expect(Table?.TableArn).toBe(TABLE_ARN);
    expect(Table?.LatestStreamArn).toMatch(new RegExp(`^${TABLE_ARN}/stream/`));
    await client.send(new PutItemCommand({ TableName: TABLE_ARN, Item: { pk: { S: 'by arn' } } }));
    const { Item } = await client.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: 'by arn' } } }));
    expect(Item).toEqual({ pk: { S: 'by arn' } });
  });

  test('keeps items untouched, also when they hold ARNs', async () => {
    const Item = {
      pk: { S: 'arn' },
      TableName: { S: TABLE_ARN },
      engine: { S: 'arn:aws:dynamodb:ddblocal:000000000000:table/x' },
    };
    await client.send(new PutItemCommand({ TableName: TABLE, Item }));
    const read = await client.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: 'arn' } } }));
    expect(read.Item).toEqual(Item);
  });

  test('answers a failed condition with the item that failed it', async () => {
    await client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'once' }, n: { N: '1' } } }));
    const again = new PutItemCommand({
      TableName: TABLE,
      Item: { pk: { S: 'once' } },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await expect(client.send(again)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { n: { N: '1' } },
    });
  });

  test('refuses operations that the local cloud lacks', async () => {
    const refused = (operation: string) => ({
      name: 'UnknownOperationException',
      message: `The local cloud does not have ${operation} of DynamoDB.`,
    });
    const statement = new ExecuteStatementCommand({ Statement: 'SELECT * FROM things' });
    await expect(client.send(statement)).rejects.toMatchObject(refused('ExecuteStatement'));
    await expect(client.send(new ListBackupsCommand())).rejects.toMatchObject(refused('ListBackups'));
  });
});

describe('a stream', () => {
  test('is read with the ordinary calls', async () => {
    await client.send(
      new UpdateItemCommand({
        TableName: TABLE,
        Key: { pk: { S: 'streamed' } },
        UpdateExpression: 'SET n = :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
    const records = await recordsOf('streamed');
    expect(records).toMatchObject([
      { eventName: 'INSERT', awsRegion: REGION, dynamodb: { NewImage: { n: { N: '1' } } } },
    ]);
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: TABLE }));
    expect(Streams?.[0]?.StreamArn).toMatch(new RegExp(`^${TABLE_ARN}/stream/`));
  });

  test('can be read only with permission, iterator included', async () => {
    const { StreamArn, ShardId } = await firstShard();
    const reader = new DynamoDBStreamsClient(
      endpoint.clientOptions(
        endpoint.role(
          'streamReader',
          allowing(
            ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'],
            `${TABLE_ARN}/stream/*`,
          ),
        ),
      ),
    );
    const stranger = new DynamoDBStreamsClient(
      endpoint.clientOptions(endpoint.role('streamStranger', allowing('dynamodb:*', TABLE_ARN))),
    );
    const iterator = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    const { ShardIterator } = await reader.send(iterator);
    const { NextShardIterator } = await reader.send(new GetRecordsCommand({ ShardIterator }));
    await reader.send(new GetRecordsCommand({ ShardIterator: NextShardIterator }));
    await expect(stranger.send(iterator)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(stranger.send(new GetRecordsCommand({ ShardIterator }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });
});

/** With a sort key that is also the time to live. */
async function expiringTable(own: LocalEndpoint): Promise<DynamoDBClient> {
  const table = new DynamoDBClient(own.clientOptions());
  await table.send(
    new CreateTableCommand({
      TableName: 'expiring',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'ttl', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'ttl', AttributeType: 'N' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await table.send(
    new UpdateTimeToLiveCommand({
      TableName: 'expiring',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
    }),
  );
  return table;
}

describe('time to live', () => {
  test('deletes expired items, and the stream reports the deletions', async () => {
    const own = await startLocalEndpoint();
    const table = await expiringTable(own);
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
    const put = (pk: string, ttl: number) =>
      table.send(new PutItemCommand({ TableName: 'expiring', Item: { pk: { S: pk }, ttl: { N: String(ttl) } } }));
    await Promise.all([
      put('soon', inSeconds(60)),
      put('later', inSeconds(7200)),
      put('ancient', 1),
      put('past', inSeconds(-10)),
    ]);
    const left = async () => {
      const { Items = [] } = await table.send(new ScanCommand({ TableName: 'expiring' }));
      return Items.map(({ pk }) => pk?.S ?? '').sort();
    };
    await own.sweep();
    expect(await left()).toEqual(['ancient', 'later', 'soon']);
    own.advance(3600_000);
    await own.sweep();
    expect(await left()).toEqual(['ancient', 'later']);
    await own.close();
  });

  test('pauses after each page of items unless it is eager, and ends when the service does', async () => {
    const own = await startLocalEndpoint();
    const table = await expiringTable(own);
    const ttl = { N: String(Math.floor(Date.now() / 1000) + 30) };
    const items = Array.from({ length: 450 }, (_, n) => ({ pk: { S: String(n) }, ttl }));
    const fill = async () => {
      for (let n = 0; n < items.length; n += 25) {
        const requests = items.slice(n, n + 25).map((Item) => ({ PutRequest: { Item } }));
        await table.send(new BatchWriteItemCommand({ RequestItems: { expiring: requests } }));
      }
    };
    const left = async () => (await table.send(new ScanCommand({ TableName: 'expiring', Select: 'COUNT' }))).Count ?? 0;
    await fill();
    own.advance(61_000);
    await expect.poll(left, { timeout: 120_000 }).toBeLessThan(450);
    expect(await left()).toBeGreaterThan(0);
    await own.sweep();
    expect(await left()).toBe(0);
    // The one that rested has ended: the next one does.
    await fill();
    own.advance(61_000);
    await expect.poll(left, { timeout: 120_000 }).toBeLessThan(450);
    await own.close();
  });

  test('runs when the clock has moved on by a minute', async () => {
    const expired = { pk: { S: 'expired' }, ttl: { N: String(Math.floor(Date.now() / 1000) + 30) } };
    await client.send(new PutItemCommand({ TableName: TABLE, Item: expired }));
    endpoint.advance(61_000);
    await expect
      .poll(async () => (await recordsOf('expired')).map(({ eventName }) => eventName), { timeout: 120_000 })
      .toEqual(['INSERT', 'REMOVE']);
  });

  test('is named in the stream as the deleter of its own deletions only', async () => {
    const ttl = { N: String(Math.floor(Date.now() / 1000) - 5) };
    await client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'by time' }, ttl } }));
    await client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'by hand' }, ttl } }));
    await client.send(new DeleteItemCommand({ TableName: TABLE, Key: { pk: { S: 'by hand' } } }));
    await endpoint.sweep();
    const remover = async (pk: string) =>
      (await recordsOf(pk)).find(({ eventName }) => eventName === 'REMOVE')?.userIdentity;
    expect(await remover('by time')).toMatchObject({ PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' });
    expect(await remover('by hand')).toBeUndefined();
  });
});

describe('an engine that is gone', () => {
  test('fails the start with a clear error', async () => {
    const start = startLocalEndpoint({ dynamodb: { url: 'http://127.0.0.1:9' } });
    await expect(start).rejects.toThrow('The DynamoDB engine at http://127.0.0.1:9 does not answer');
  });

  test('fails calls with a clear error', async () => {
    const engine = await Engine.start(chosenEngine({}), null);
    const own = await startLocalEndpoint({ dynamodb: { url: engine.url } });
    const table = new DynamoDBClient(own.clientOptions());
    await table.send(new ListTablesCommand());
    await engine.close();
    const error = { name: 'InternalServerError', message: expect.stringContaining('does not answer') };
    await expect(table.send(new ListTablesCommand())).rejects.toMatchObject(error);
    await own.close();
  });
});

async function firstShard() {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE }));
  const StreamArn = Table?.LatestStreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  return { StreamArn, ShardId: StreamDescription?.Shards?.[0]?.ShardId };
}

async function recordsOf(pk: string) {
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ ...(await firstShard()), ShardIteratorType: 'TRIM_HORIZON' }),
  );
  const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
  return Records.filter(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S === pk);
}

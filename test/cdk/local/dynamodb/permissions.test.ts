import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';

const arnOf = (table: string) => `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${table}`;
const [MINE, THEIRS] = ['mine', 'theirs'];
const Key = { pk: { S: 'tenant-1' }, sk: { S: 'a' } };

let endpoint: LocalEndpoint;
let roles = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  const owner = new DynamoDBClient(endpoint.clientOptions());
  for (const TableName of [MINE, THEIRS]) {
    await owner.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'reversed',
            KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  }
});
afterAll(() => endpoint.close());

function roleWith(
  actions: string[],
  resource = arnOf(MINE),
  condition?: Record<string, Record<string, string[]>>,
): DynamoDBClient {
  const policy = allowing(
    actions.map((action) => `dynamodb:${action}`),
    resource,
    condition,
  );
  return new DynamoDBClient(endpoint.clientOptions(endpoint.role(`dynamo${++roles}`, policy)));
}

const denied = { name: 'AccessDeniedException' };

describe('each operation needs its own permission', () => {
  test('on its own table', async () => {
    const reader = roleWith(['GetItem']);
    await reader.send(new GetItemCommand({ TableName: MINE, Key }));
    await expect(reader.send(new GetItemCommand({ TableName: THEIRS, Key }))).rejects.toMatchObject(denied);
    await expect(reader.send(new PutItemCommand({ TableName: MINE, Item: Key }))).rejects.toMatchObject(denied);
  });

  test('queries and scans of an index need it on the index', async () => {
    const query = (IndexName?: string) =>
      new QueryCommand({
        TableName: MINE,
        IndexName,
        KeyConditionExpression: IndexName ? 'sk = :v' : 'pk = :v',
        ExpressionAttributeValues: { ':v': { S: 'a' } },
      });
    const onTable = roleWith(['Query', 'Scan']);
    const onIndex = roleWith(['Query', 'Scan'], `${arnOf(MINE)}/index/reversed`);
    await onTable.send(query());
    await onIndex.send(query('reversed'));
    await onIndex.send(new ScanCommand({ TableName: MINE, IndexName: 'reversed' }));
    await expect(onTable.send(query('reversed'))).rejects.toMatchObject(denied);
    await expect(onIndex.send(query())).rejects.toMatchObject(denied);
    await expect(onIndex.send(new ScanCommand({ TableName: MINE }))).rejects.toMatchObject(denied);
  });

  test('transactions need it for every entry', async () => {
    const writer = roleWith(['PutItem', 'ConditionCheckItem']);
    const write = (...TransactItems: TransactWriteItem[]) =>
      writer.send(new TransactWriteItemsCommand({ TransactItems }));
    const Put = { TableName: MINE, Item: { ...Key, sk: { S: 'transact' } } };
    const ConditionCheck = { TableName: MINE, Key, ConditionExpression: 'attribute_not_exists(never)' };
    await write({ Put }, { ConditionCheck });
    await expect(write({ Put }, { Delete: { TableName: MINE, Key } })).rejects.toMatchObject(denied);
    await expect(write({ Put: { ...Put, TableName: THEIRS } })).rejects.toMatchObject(denied);
    const Update = { TableName: MINE, Key, UpdateExpression: 'REMOVE never' };
    await expect(write({ Update })).rejects.toMatchObject(denied);
    const reader = roleWith(['GetItem']);
    await reader.send(new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName: MINE, Key } }] }));
    const other = new TransactGetItemsCommand({
      TransactItems: [{ Get: { TableName: MINE, Key } }, { Get: { TableName: THEIRS, Key } }],
    });
    await expect(reader.send(other)).rejects.toMatchObject(denied);
  });

  test('batches need it for every table', async () => {
    const batcher = roleWith(['BatchGetItem', 'BatchWriteItem']);
    const put = [{ PutRequest: { Item: Key } }];
    await batcher.send(new BatchWriteItemCommand({ RequestItems: { [MINE]: put } }));
    await batcher.send(new BatchGetItemCommand({ RequestItems: { [MINE]: { Keys: [Key] } } }));
    await expect(
      batcher.send(new BatchWriteItemCommand({ RequestItems: { [MINE]: put, [THEIRS]: put } })),
    ).rejects.toMatchObject(denied);
    await expect(
      batcher.send(new BatchGetItemCommand({ RequestItems: { [MINE]: { Keys: [Key] }, [THEIRS]: { Keys: [Key] } } })),
    ).rejects.toMatchObject(denied);
    // The permissions of single items do not give those of batches.
    await expect(
      roleWith(['PutItem']).send(new BatchWriteItemCommand({ RequestItems: { [MINE]: put } })),
    ).rejects.toMatchObject(denied);
  });
});

describe('dynamodb:LeadingKeys', () => {
  const onlyTenant1 = (actions: string[]) =>
    roleWith(actions, arnOf(MINE), { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['tenant-1'] } });
  const query = (expression: string, names?: Record<string, string>) =>
    new QueryCommand({
      TableName: MINE,
      KeyConditionExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':a': { S: 'tenant-1' }, ':b': { S: 'tenant-2' } },
    });

  test('holds a role to the partitions of its tenant', async () => {
    const tenant = onlyTenant1(['GetItem', 'PutItem', 'BatchWriteItem']);
    const other = { pk: { S: 'tenant-2' }, sk: { S: 'a' } };
    await tenant.send(new GetItemCommand({ TableName: MINE, Key }));
    await tenant.send(new PutItemCommand({ TableName: MINE, Item: Key }));
    await expect(tenant.send(new GetItemCommand({ TableName: MINE, Key: other }))).rejects.toMatchObject(denied);
    await expect(tenant.send(new PutItemCommand({ TableName: MINE, Item: other }))).rejects.toMatchObject(denied);
    const batch = [{ PutRequest: { Item: Key } }, { DeleteRequest: { Key: other } }];
    await expect(tenant.send(new BatchWriteItemCommand({ RequestItems: { [MINE]: batch } }))).rejects.toMatchObject(
      denied,
    );
  });

  test('is read from queries', async () => {
    const tenant = onlyTenant1(['Query']);
    const used = (command: QueryCommand, value: ':a' | ':b') => {
      command.input.ExpressionAttributeValues = {
        [value]: command.input.ExpressionAttributeValues?.[value] ?? { S: '' },
      };
      return tenant.send(command);
    };
    await used(query('pk = :a'), ':a');
    await used(query('#p=:a', { '#p': 'pk' }), ':a');
    await expect(used(query('pk = :b'), ':b')).rejects.toMatchObject(denied);
    await expect(used(query('#p = :b', { '#p': 'pk' }), ':b')).rejects.toMatchObject(denied);
  });

  test('that a query does not pin down is never granted', async () => {
    const tenant = onlyTenant1(['Query']);
    const legacy = new QueryCommand({
      TableName: MINE,
      KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'tenant-2' }] } },
    });
    await expect(tenant.send(legacy)).rejects.toMatchObject(denied);
  });
});

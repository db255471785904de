import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  RestoreTableToPointInTimeCommand,
  type RestoreTableToPointInTimeCommandInput,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateContinuousBackupsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';

const MINUTE = 60_000;

let endpoint: LocalEndpoint;
let client: DynamoDBClient;
let clock: Clock;
let tables = 0;
beforeAll(async () => {
  clock = new Clock();
  clock.stop();
  endpoint = await startLocalEndpoint({ remembersTables: true, clock });
  client = new DynamoDBClient(endpoint.clientOptions());
});
afterAll(() => endpoint.close());

async function newTable(): Promise<string> {
  const TableName = `table-${(tables += 1)}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'list'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        {
          IndexName: 'Listing',
          KeySchema: [{ AttributeName: 'list', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  return TableName;
}

const enable = (TableName: string, PointInTimeRecoveryEnabled = true) =>
  client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled },
    }),
  );

const key = (name: number) => ({ pk: `p${name % 2}`, sk: `s${name}` });
const put = (TableName: string, name: number, value: string) =>
  client.send(new PutItemCommand({ TableName, Item: marshall({ ...key(name), list: 'all', value }) }));
const restore = async (SourceTableName: string, at: Omit<RestoreTableToPointInTimeCommandInput, 'TargetTableName'>) => {
  const TargetTableName = `restored-${(tables += 1)}`;
  const { TableDescription: described } = await client.send(
    new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, ...at }),
  );
  return { name: TargetTableName, described };
};
const itemsOf = async (TableName: string, IndexName?: string) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, IndexName }));
  return Items.map((item) => unmarshall(item)).toSorted((one, other) => (one['sk'] < other['sk'] ? -1 : 1));
};
const now = () => new Date(clock.millis());

type Write = {
  readonly kind: 'put' | 'update' | 'delete' | 'batch' | 'transaction';
  readonly name: number;
  readonly value: string;
};
const Writes = fc.array(
  fc.record<Write>({
    kind: fc.constantFrom('put', 'update', 'delete', 'batch', 'transaction'),
    name: fc.nat(5),
    value: fc.string(),
  }),
  { maxLength: 12 },
);

async function write(TableName: string, { kind, name, value }: Write): Promise<void> {
  const Item = marshall({ ...key(name), list: 'all', value });
  const Key = marshall(key(name));
  const update = {
    TableName,
    Key,
    UpdateExpression: 'SET #value = :value',
    ExpressionAttributeNames: { '#value': 'value' },
    ExpressionAttributeValues: marshall({ ':value': value }),
  };
  if (kind === 'put') await client.send(new PutItemCommand({ TableName, Item }));
  if (kind === 'update') await client.send(new UpdateItemCommand(update));
  if (kind === 'delete') await client.send(new DeleteItemCommand({ TableName, Key }));
  if (kind === 'batch') {
    const requests = [{ PutRequest: { Item } }, { DeleteRequest: { Key: marshall(key(name + 1)) } }];
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  }
  if (kind === 'transaction') {
    const TransactItems = [{ Update: update }, { Delete: { TableName, Key: marshall(key(name + 1)) } }];
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
  }
}

describe('a table with point-in-time recovery', () => {
  it('is restored to what it was at a time, with its indexes, whatever was written before and after', async () => {
    await fc.assert(
      fc.asyncProperty(Writes, Writes, async (before, after) => {
        const table = await newTable();
        await enable(table);
        clock.advance(MINUTE);
        await Promise.all(before.map((one) => write(table, one)));
        const expected = await itemsOf(table);
        const RestoreDateTime = now();
        clock.advance(MINUTE);
        await Promise.all(after.map((one) => write(table, one)));
        clock.advance(5 * MINUTE);
        const { name } = await restore(table, { SourceTableName: table, RestoreDateTime });
        expect(await itemsOf(name)).toEqual(expected);
        expect(await itemsOf(name, 'Listing')).toEqual(expected.filter(({ list }) => list === 'all'));
      }),
      { numRuns: 10 },
    );
  });

  it('has the items that were there before recovery was enabled, and none of the settings of its source', async () => {
    const table = await newTable();
    await put(table, 1, 'old');
    await enable(table);
    clock.advance(5 * MINUTE);
    const { name, described } = await restore(table, { SourceTableName: table, UseLatestRestorableTime: true });
    expect(described).toMatchObject({ TableStatus: 'CREATING', RestoreSummary: { RestoreInProgress: true } });
    expect(described?.RestoreSummary?.SourceTableArn).toBe(`arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${table}`);
    expect(await itemsOf(name)).toEqual([{ ...key(1), list: 'all', value: 'old' }]);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE' });
    expect(Table?.StreamSpecification?.StreamEnabled ?? false).toBe(false);
    const { ContinuousBackupsDescription: backups } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName: name }),
    );
    expect(backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe('DISABLED');
  });

  it('says from when to when it can be restored, and refuses all other times', async () => {
    const table = await newTable();
    const enabledAt = now();
    await enable(table);
    clock.advance(8 * MINUTE);
    const { ContinuousBackupsDescription: backups } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName: table }),
    );
    const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
      backups?.PointInTimeRecoveryDescription ?? {};
    expect(earliest).toEqual(enabledAt);
    expect(latest).toEqual(new Date(clock.millis() - 5 * MINUTE));
    for (const millis of [enabledAt.getTime() - MINUTE, clock.millis() - 4 * MINUTE]) {
      const refused = restore(table, { SourceTableName: table, RestoreDateTime: new Date(millis) });
      await expect(refused).rejects.toMatchObject({ name: 'InvalidRestoreTimeException' });
    }
    await enable(table, false);
    const unavailable = restore(table, { SourceTableName: table, UseLatestRestorableTime: true });
    await expect(unavailable).rejects.toMatchObject({ name: 'PointInTimeRecoveryUnavailableException' });
  });

  it('needs the permissions to read the one and to write the other table', async () => {
    const table = await newTable();
    await enable(table);
    clock.advance(5 * MINUTE);
    const arn = `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/`;
    const role = endpoint.role('restoring', allowing(['dynamodb:RestoreTableToPointInTime'], `${arn}*`));
    const request = { SourceTableName: table, TargetTableName: 'copy', UseLatestRestorableTime: true };
    const call = new DynamoDBClient(endpoint.clientOptions(role)).send(new RestoreTableToPointInTimeCommand(request));
    await expect(call).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

it('a cloud that remembers nothing refuses to restore, and says how to change that', async () => {
  const other = await startLocalEndpoint({ remembersTables: false });
  const forgetful = new DynamoDBClient(other.clientOptions());
  await forgetful.send(
    new CreateTableCommand({
      TableName: 'forgotten',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await forgetful.send(
    new UpdateContinuousBackupsCommand({ TableName: 'forgotten', PointInTimeRecoverySpecification }),
  );
  const refused = forgetful.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: 'forgotten',
      TargetTableName: 'copy',
      UseLatestRestorableTime: true,
    }),
  );
  await expect(refused).rejects.toThrow('LOCAL_RECOVERY=1');
  await other.close();
});

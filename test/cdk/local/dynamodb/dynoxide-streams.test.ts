import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chosenEngine, dynoxideFile } from '../../../../cdk/local/dynamodb/engine-choice.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';

const engine = chosenEngine({});
const DAY_MILLIS = 86_400_000;

let folder: string;
let endpoint: LocalEndpoint;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dynoxide-streams-'));
  endpoint = await startLocalEndpoint({ dynamodb: engine, dataDir: folder });
  for (const TableName of ['busy', 'quiet']) {
    await client().send(
      new CreateTableCommand({
        TableName,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      }),
    );
  }
});
afterEach(async () => {
  await endpoint.close();
  rmSync(folder, { recursive: true });
});

const client = () => new DynamoDBClient(endpoint.clientOptions());
const put = (table: string, pk: string) =>
  client().send(new PutItemCommand({ TableName: table, Item: { pk: { S: pk } } }));

async function keysIn(table: string): Promise<(string | undefined)[]> {
  const streams = new DynamoDBStreamsClient(endpoint.clientOptions());
  const { Streams = [] } = await streams.send(new ListStreamsCommand({ TableName: table }));
  const { StreamArn } = Streams[0] ?? {};
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const { ShardId } = StreamDescription?.Shards?.[0] ?? {};
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
  return Records.map(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S);
}

test.skipIf(engine !== 'dynoxide')(
  'records of streams end after a day, and those that follow are in order',
  async () => {
    for (const pk of ['1', '2', '3']) await put('busy', pk);
    await put('quiet', 'only');
    endpoint.advance(DAY_MILLIS - 60_000);
    await endpoint.sweep();
    expect(await keysIn('busy')).toEqual(['1', '2', '3']);
    endpoint.advance(120_000);
    await endpoint.sweep();
    // The newest one of a table stays, so that those that follow have a higher number.
    expect(await keysIn('busy')).toEqual(['3']);
    for (const pk of ['4', '5']) await put('busy', pk);
    expect(await keysIn('busy')).toEqual(['3', '4', '5']);
    expect(await keysIn('quiet')).toEqual(['only']);
  },
);

test.skipIf(engine !== 'dynoxide')('no call reads all records: what the engine asks is answered by an index', () => {
  const database = new DatabaseSync(dynoxideFile(join(folder, 'dynamodb')), { readOnly: true });
  const ofTable = 'FROM _stream_records WHERE table_name = ?';
  const asked = [
    `SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 ${ofTable}`,
    `SELECT MIN(sequence_number), MAX(sequence_number) ${ofTable} AND shard_id = ?`,
    `SELECT new_image ${ofTable} AND shard_id = ? AND CAST(sequence_number AS INTEGER) > ?
      ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT ?`,
  ];
  const plans = asked.map((sql) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
  database.close();
  for (const plan of plans) expect(plan).toEqual([expect.stringMatching(/^SEARCH .*INDEX records_by_number/)]);
});

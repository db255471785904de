/** Rehearses "Backup and restoring" of cdk/README.md: each domain gets its records and files back by the steps there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AttributeValue,
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN_TABLES } from '../../cdk/domain-tables.ts';
import { restoreItems } from '../../cdk/restore-items.dynamodb.ts';
import { restoreObjects } from '../../cdk/restore-objects.s3.ts';
import { demoRecords } from '../../functions/records/commands/demo-records.ts';
import { dynamoDbClient } from '../../shared/table/table.dynamodb.ts';
import { clientOptions, eventually, later } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { requestsTo } from '../support/cloud/service-calls.ts';
import { stepsInOrder } from '../support/runner/steps-in-order.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

stepsInOrder();

type StoredItem = Record<string, AttributeValue>;

const MINUTE = 60_000;
type Domain = keyof typeof DOMAIN_TABLES;
const DOMAINS = Object.keys(DOMAIN_TABLES) as Domain[];

const folder = mkdtempSync(join(tmpdir(), 'restore-'));
let receiver: Receiver;
let service: RunningService;
let client: DynamoDBClient;
let s3: S3Client;
let requests: ReturnType<typeof requestsTo>;

beforeAll(async () => {
  receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  const parameters = { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca };
  service = await startService({ parameters, remembersTables: true });
  service.cloud.stopSchedules();
  client = new DynamoDBClient(clientOptions(service.cloud));
  s3 = new S3Client({ ...clientOptions(service.cloud), forcePathStyle: true });
  requests = requestsTo(service, service.cloud.clock.millis);
  const Body = demoRecords('businesses')
    .map((record) => JSON.stringify(record))
    .join('\n');
  const Bucket = service.cloud.outputs['ImportsBucket'];
  await s3.send(new PutObjectCommand({ Bucket, Key: 'businesses/demo/records.ndjson', Body }));
  const { id } = await requests.made('api-configurations', { name: 'Endpoint', targetUrl: `${receiver.url}/hook` });
  await requests.made('rules', { module: 'dsar', trigger: 'DSAR starts', apiConfigurationId: id, body: {} });
  const { runIds } = await requests.announce();
  await requests.delivered(runIds);
  for (const domain of ['conversions', 'places', 'records']) await requests.change({ domain, path: '' });
  for (const path of ['Images/AdvanceValidations', 'Images/AnnounceValidations'])
    await requests.change({ domain: 'images', path });
  await service.cloud.settled();
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function itemsOf(table: string): Promise<Map<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table })) {
    for (const item of Items) items.set(JSON.stringify([item['pk'], item['sk']]), item);
  }
  return items;
}

/** Deletes every third item, changes every third, and adds one. Returns how many of each. */
async function damage(table: string, items: readonly StoredItem[]) {
  const counts = { missing: 0, differing: 0 };
  for (const [nth, { pk, sk, ...rest }] of items.entries()) {
    const Key = { pk: pk!, sk: sk! };
    if (nth % 3 === 0) {
      await client.send(new DeleteItemCommand({ TableName: table, Key }));
      counts.missing += 1;
    } else if (nth % 3 === 1) {
      await client.send(new PutItemCommand({ TableName: table, Item: { ...rest, ...Key, damaged: { BOOL: true } } }));
      counts.differing += 1;
    }
  }
  await client.send(new PutItemCommand({ TableName: table, Item: { pk: { S: 'LATER#1' }, sk: { S: 'LATER' } } }));
  return counts;
}

/** Restores the table of the first domain by the command, as an operator does, and the others by what it calls. */
async function restore(domain: Domain, from: string, { replace = false } = {}) {
  if (domain !== DOMAINS[0]) {
    const name = service.cloud.outputs[DOMAIN_TABLES[domain]] ?? '';
    return restoreItems({ name, client: dynamoDbClient(clientOptions(service.cloud)) }, { from, replace });
  }
  const options = replace ? ['--replace'] : [];
  const { stdout, stderr } = await service.run(
    'cdk/restore.command.ts',
    '--domain',
    domain,
    '--from',
    from,
    ...options,
  );
  expect(stderr).toBe('');
  const ending = replace ? 'are replaced' : 'stay';
  const [, missing, same, differing] =
    new RegExp(`(\\d+) items were missing and are back, (\\d+) were the same.\n(\\d+) differed and ${ending}`).exec(
      stdout,
    ) ?? [];
  return { missing: Number(missing), same: Number(same), differing: Number(differing) };
}

describe.each(DOMAINS)('the table of %s', (domain) => {
  it('has every record again that it had at a time, and keeps what came later', async () => {
    const { cloud } = service;
    const table = cloud.outputs[DOMAIN_TABLES[domain]] ?? '';
    await later(cloud, MINUTE);
    const before = await itemsOf(table);
    expect(before.size).toBeGreaterThan(2);
    const RestoreDateTime = new Date(cloud.clock.millis());
    await later(cloud, MINUTE);
    const counts = await damage(table, [...before.values()]);
    await later(cloud, 6 * MINUTE);

    const restored = `${domain}-restored`;
    await client.send(
      new RestoreTableToPointInTimeCommand({ SourceTableName: table, TargetTableName: restored, RestoreDateTime }),
    );
    expect(await itemsOf(restored)).toEqual(before);
    const same = before.size - counts.missing - counts.differing;
    expect(await restore(domain, restored)).toEqual({ ...counts, same });
    const again = { ...counts, missing: 0, same: same + counts.missing };
    expect(await restore(domain, restored, { replace: true })).toEqual(again);

    await cloud.settled();
    const after = await itemsOf(table);
    expect(new Map([...after].filter(([key]) => before.has(key)))).toEqual(before);
    expect(after.has(JSON.stringify([{ S: 'LATER#1' }, { S: 'LATER' }]))).toBe(true);
    await client.send(new DeleteTableCommand({ TableName: restored }));
  });
});

async function searchAll() {
  const { json } = await service.as('demo-token')('/v3/data/businesses?q=*:*&records=5');
  return { total: json['estimated total'], records: json.records };
}

describe('the index of records', () => {
  it('is rebuilt by putting the imported files again, the oldest first', async () => {
    const { cloud } = service;
    const before = await searchAll();
    expect(before.total).toBeGreaterThan(5);
    const table = cloud.outputs['RecordsTable'] ?? '';
    for (const [, { pk, sk }] of await itemsOf(table)) {
      const Key = { pk: pk!, sk: sk! };
      if (pk?.S?.startsWith('INDEX#')) await client.send(new DeleteItemCommand({ TableName: table, Key }));
    }
    await later(cloud, MINUTE);
    expect(await searchAll()).toMatchObject({ total: 0 });

    const Bucket = cloud.outputs['ImportsBucket'] ?? '';
    const { Contents: objects = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    const oldestFirst = objects.toSorted((one, other) => Number(one.LastModified) - Number(other.LastModified));
    for (const { Key } of oldestFirst) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: await Body!.transformToByteArray() }));
      await cloud.settled();
    }
    expect(await eventually(cloud, searchAll, ({ total }) => total === before.total)).toEqual(before);
  });
});

describe('the imported files', () => {
  it('are those of the minute before one was replaced and another deleted, and so are the records in them', async () => {
    const { cloud } = service;
    const Bucket = cloud.outputs['ImportsBucket'] ?? '';
    const put = (Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    const filesNow = async () => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'businesses/' }));
      const files = Contents.map(async ({ Key = '' }) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
        return [Key, Buffer.from(await Body!.transformToByteArray())] as const;
      });
      return new Map(await Promise.all(files));
    };
    const [replaced, deleted, newer] = ['records', 'more', 'newer'].map((name) => `businesses/demo/${name}.ndjson`);
    await put(deleted!, JSON.stringify({ id: 'restored-1', name: 'Restored', country: 'US' }));
    await later(cloud, MINUTE);
    const before = await filesNow();
    const { total, records } = await searchAll();
    const ids = records.map(({ id }: { id: string }) => id);
    const recordsNow = () =>
      Promise.all(
        ids.map(async (id: string) => {
          const { json } = await service.as('demo-token')(`/v3/data/businesses?q=id:${id}`);
          return json.records;
        }),
      );
    const recordsBefore = await recordsNow();
    expect(recordsBefore.flat()).toHaveLength(5);
    expect(before.size).toBe(2);
    const to = new Date(cloud.clock.millis()).toISOString();
    await later(cloud, MINUTE);

    const deletions = demoRecords('businesses').map(({ id }) => JSON.stringify({ id, _deleted: true }));
    await put(replaced!, deletions.join('\n'));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: deleted }));
    await put(newer!, JSON.stringify({ id: 'restored-1', _deleted: true }));
    await eventually(cloud, searchAll, ({ total }) => total === 0);

    const time = { to: Date.parse(to), keys: 'businesses/' };
    const counts = await restoreObjects({ name: Bucket, client: s3 }, time);
    expect(counts).toEqual({ missing: 1, same: 0, differing: [replaced] });
    const options = ['--domain', 'records', '--to', to, '--keys', 'businesses/', '--replace'];
    const { stdout, stderr } = await service.run('cdk/restore.command.ts', ...options);
    expect(stderr).toBe('');
    expect(stdout).toBe(
      `0 files were missing and are back, 1 were the same.\n1 differed and are replaced:\n  ${replaced}\n`,
    );
    const { [newer!]: newFile, ...restored } = Object.fromEntries(await filesNow());
    expect(newFile).toBeDefined();
    expect(restored).toEqual(Object.fromEntries(before));
    await eventually(cloud, searchAll, (now) => now.total === total);
    expect(await recordsNow()).toEqual(recordsBefore);
  });
});

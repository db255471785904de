import { GetItemCommand, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import {
  configurationKey,
  configurationStore,
} from '../../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

let second = 0;
const configuration = (tenant: string, name: string): Configuration => {
  second += 1;
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return {
    id: newId('cfg'),
    tenant,
    name,
    targetUrl: 'https://example.com/hooks',
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 30,
    maxAttempts: 3,
    description: '',
    authentication: { type: 'apiKey', headerName: 'X-Api-Key', secret: 'Y2lwaGVydGV4dA==' },
    enabled: true,
    createdAt,
    updatedAt: createdAt,
  };
};
const added = async (tenant: string, name: string) => {
  const newConfiguration = configuration(tenant, name);
  expect(await configurationStore(table).add(newConfiguration)).toBe('added');
  return newConfiguration;
};
const renamed = (name: string) => (stored: Configuration) => ({ ...stored, name });

/** Every name that is reserved for the tenant, and for which configuration. */
async function namesHeld(tenant: string) {
  const { Items: items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, ConsistentRead: true }),
  );
  const prefix = `CONFIGURATION_NAME#${tenant}#`;
  return new Map(
    items
      .filter(({ pk }) => pk?.S?.startsWith(prefix))
      .map(({ pk, configuration: holder }) => [pk?.S?.slice(prefix.length), holder?.S]),
  );
}

describe('API configurations in DynamoDB', () => {
  it('are found again as they were stated, by their tenant only', async () => {
    const store = configurationStore(table);
    const newConfiguration = await added('found', 'Orders');
    expect(await store.byId({ tenant: 'found', id: newConfiguration.id })).toEqual(newConfiguration);
    expect(await store.byId({ tenant: 'other', id: newConfiguration.id })).toBeUndefined();
    expect(await store.change({ tenant: 'other', id: newConfiguration.id }, renamed('x'))).toBe('missing');
    expect(await store.remove({ tenant: 'other', id: newConfiguration.id })).toEqual({ kind: 'missing' });
    expect(await store.byId({ tenant: 'found', id: newConfiguration.id })).toEqual(newConfiguration);
  });

  it('that were stored before they could be disabled are enabled', async () => {
    const { id } = await added('old', 'Old');
    const key = marshalled(configurationKey({ tenant: 'old', id }));
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: 'REMOVE #enabled',
        ExpressionAttributeNames: { '#enabled': 'enabled' },
      }),
    );
    expect(await configurationStore(table).byId({ tenant: 'old', id })).toMatchObject({ id, enabled: true });
  });

  it('get a name once, when 20 request it at the same time', async () => {
    const store = configurationStore(table);
    const all = Array.from({ length: 20 }, () => configuration('crowd', 'Wanted'));
    const answers = await Promise.all(all.map((one) => store.add(one)));
    expect(answers.filter((answer) => answer === 'added')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'name-taken')).toHaveLength(19);
    expect((await store.list('crowd', { limit: 50 })).items).toHaveLength(1);
  });

  it('share no names within a tenant, however they get them, and may share any between tenants', async () => {
    const store = configurationStore(table);
    const one = await added('names', 'One');
    const two = await added('names', 'Two');
    await added('others', 'One');
    expect(await store.change({ tenant: 'names', id: two.id }, renamed('One'))).toBe('name-taken');
    expect((await store.byId({ tenant: 'names', id: two.id }))?.name).toBe('Two');
    expect(await store.change({ tenant: 'names', id: one.id }, renamed('one'))).toMatchObject({ name: 'one' });
    expect(await store.change({ tenant: 'names', id: two.id }, renamed('One'))).toMatchObject({ name: 'One' });
    expect(await store.remove({ tenant: 'names', id: two.id })).toEqual({ kind: 'removed' });
    expect(await store.remove({ tenant: 'names', id: two.id })).toEqual({ kind: 'missing' });
    const three = await added('names', 'Two');
    expect(await namesHeld('names')).toEqual(
      new Map([
        ['one', one.id],
        ['Two', three.id],
      ]),
    );
  });

  it('swap names under a storm of renames without losing or doubling one', async () => {
    const store = configurationStore(table);
    const newConfiguration = await Promise.all(['A', 'B', 'C'].map((name) => added('storm', name)));
    const expected = ['A', 'B', 'C', 'D', 'E'];
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        store.change({ tenant: 'storm', id: newConfiguration[i % 3]?.id ?? '' }, renamed(expected[(i * 7) % 5] ?? 'A')),
      ),
    );
    const { items } = await store.list('storm', { limit: 50 });
    expect(new Map(items.map(({ name, id }) => [name, id]))).toEqual(await namesHeld('storm'));
    expect(new Set(items.map(({ name }) => name)).size).toBe(3);
  });

  it('lose no change when two are made at the same time', async () => {
    const store = configurationStore(table);
    const { id } = await added('both', 'Counted');
    const oneMore = (stored: Configuration) => ({ ...stored, maxAttempts: stored.maxAttempts + 1 });
    await Promise.all(Array.from({ length: 10 }, () => store.change({ tenant: 'both', id: id }, oneMore)));
    expect((await store.byId({ tenant: 'both', id: id }))?.maxAttempts).toBe(13);
  });

  it('are changed or deleted, never changed after being deleted', async () => {
    const store = configurationStore(table);
    const { id } = await added('race', 'Mortal');
    await Promise.all([
      store.change({ tenant: 'race', id: id }, renamed('Renamed')),
      store.remove({ tenant: 'race', id: id }),
    ]);
    expect(await store.byId({ tenant: 'race', id: id })).toBeUndefined();
    expect(await namesHeld('race')).toEqual(new Map());
    const { Item: item } = await table.client.send(
      new GetItemCommand({
        TableName: table.name,
        Key: { pk: { S: `CONFIGURATION#race#${id}` }, sk: { S: 'CONFIGURATION' } },
      }),
    );
    expect(item).toBeUndefined();
  });

  it('are listed newest first, page by page, each once', async () => {
    const store = configurationStore(table);
    for (let i = 0; i < 7; i += 1) await added('listed', `c${i}`);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await store.list('listed', { limit: 3, ...(cursor && { cursor }) });
      names.push(...items.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor);
    expect(names).toEqual(['c6', 'c5', 'c4', 'c3', 'c2', 'c1', 'c0']);
  });
});

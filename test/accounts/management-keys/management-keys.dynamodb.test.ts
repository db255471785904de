import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createManagementKey,
  revokeManagementKey,
} from '../../../functions/accounts/management-keys/management-key.ts';
import { managementKeyStore } from '../../../functions/accounts/management-keys/management-key-store.dynamodb.ts';
import { knownManagementKeys } from '../../../shared/auth/management-key-items.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'management-keys');
});
afterAll(() => endpoint.close());

const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
const made = (tenant: string, second: number) =>
  createManagementKey(
    managementKeyStore(table),
    { tenant, secrets: { 1: 'a'.repeat(64) }, by: { kind: 'person', id: 'sub-1', isOperator: false } },
    { name: `Key ${second}`, scopes: ['events'] },
    at(second),
  );

describe('management keys in DynamoDB', () => {
  it('are known by id with tenant, scopes and hash, and the key itself is stored nowhere', async () => {
    const { key, stored } = await made('acme', 1);
    expect(await knownManagementKeys(table).byId(stored.id)).toMatchObject({
      tenant: 'acme',
      scopes: ['events'],
      hash: stored.hash,
    });
    expect(await knownManagementKeys(table).byId('other')).toBeUndefined();
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }));
    expect(JSON.stringify(Items)).not.toContain(key.split('_').at(-1));
  });

  it('are not refused when the first answer was lost and the same write comes again', async () => {
    const store = managementKeyStore(table);
    const { stored } = await made('acme', 2);
    expect(await store.add(stored)).toBe(true);
    expect(await store.add({ ...stored, hash: 'other' })).toBe(false);
  });

  it('have their last use noted by one of many that saw the same one, and by none if they are gone', async () => {
    const { stored } = await made('acme', 20);
    const lookups = knownManagementKeys(table);
    const first = { ...(await lookups.byId(stored.id)) };
    await Promise.all([1, 2, 3].map((second) => lookups.recordUse(stored.id, first, at(20 + second))));
    const used = (await lookups.byId(stored.id))?.lastUsedAt;
    expect([at(21), at(22), at(23)].map((time) => new Date(time).toISOString())).toContain(used);
    await lookups.recordUse(stored.id, first, at(40));
    expect((await lookups.byId(stored.id))?.lastUsedAt).toBe(used);
    await lookups.recordUse(stored.id, { lastUsedAt: used }, at(50));
    expect((await lookups.byId(stored.id))?.lastUsedAt).toBe(new Date(at(50)).toISOString());
    await lookups.recordUse('missing', {}, at(50));
    expect(await lookups.byId('missing')).toBeUndefined();
  });

  it('are revoked by their own tenant only, and once', async () => {
    const store = managementKeyStore(table);
    const { stored } = await made('acme', 3);
    const revoked = async () => (await knownManagementKeys(table).byId(stored.id))?.revokedAt;
    await expect(revokeManagementKey(store, { tenant: 'other', id: stored.id }, at(4))).rejects.toMatchObject({
      status: 404,
    });
    await expect(revokeManagementKey(store, { tenant: 'acme', id: 'missing' }, at(4))).rejects.toMatchObject({
      status: 404,
    });
    expect(await revoked()).toBeUndefined();
    await revokeManagementKey(store, { tenant: 'acme', id: stored.id }, at(5));
    await revokeManagementKey(store, { tenant: 'acme', id: stored.id }, at(6));
    expect(await revoked()).toBe(new Date(at(5)).toISOString());
  });

  it('are listed for their tenant alone, newest first, page by page', async () => {
    const ids: string[] = [];
    for (const second of [10, 11, 12]) ids.unshift((await made('lister', second)).stored.id);
    const store = managementKeyStore(table);
    const { items: first, nextCursor } = await store.list('lister', { limit: 2 });
    const { items: rest } = await store.list('lister', { limit: 2, cursor: nextCursor });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
    expect((await store.list('nobody', { limit: 50 })).items).toEqual([]);
  });
});

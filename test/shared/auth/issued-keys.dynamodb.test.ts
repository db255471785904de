import { afterAll, beforeAll, expect, it } from 'vitest';
import { issuedKeys } from '../../../shared/auth/issued-keys.dynamodb.ts';
import { putNewItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'issued-keys');
});
afterAll(() => endpoint.close());

const NOW = Date.parse('2026-11-01T00:00:00Z');
const put = (list: string, item: { id: string } & Record<string, unknown>) =>
  putNewItem(table, { pk: `${list}/${item.id}`, sk: 'X', list, position: item.id, ...item });

it('finds the credentials of every tenant in all pages, and not those that are revoked, expired or erased', async () => {
  await Promise.all(
    Array.from({ length: 101 }, (_, n) => put('ACCOUNTS', { id: `t${n}` })).concat(
      Array.from({ length: 101 }, (_, n) => put('KEYS#t100', { id: `k${n}`, secretVersion: '2' })),
    ),
  );
  await put('KEYS#t0', { id: 'old' });
  await put('KEYS#t0', { id: 'revoked', revokedAt: '2026-10-01T00:00:00Z' });
  await put('KEYS#t0', { id: 'expired', expiresAt: '2026-11-01T00:00:00Z' });
  await put('KEYS#t0', { id: 'expires', expiresAt: '2026-11-01T00:00:01Z', secretVersion: '1' });
  await put('ACCOUNTS', { id: 'erased', erasure: 'e1' });
  await put('KEYS#erased', { id: 'dead' });
  await put('CLIENTS#t1', { id: 'c1', secretVersion: '1' });
  const lists = [
    { what: 'key', table, listOf: (tenant: string) => `KEYS#${tenant}` },
    { what: 'client', table, listOf: (tenant: string) => `CLIENTS#${tenant}` },
  ];
  const issued = await issuedKeys(table, lists, NOW);
  expect(issued).toHaveLength(104);
  expect(issued.filter(({ tenant }) => tenant !== 't100')).toEqual(
    expect.arrayContaining([
      { what: 'key old', tenant: 't0', secretVersion: '1' },
      { what: 'key expires', tenant: 't0', secretVersion: '1' },
      { what: 'client c1', tenant: 't1', secretVersion: '1' },
    ]),
  );
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dailyQuota } from '../../../shared/quotas/quotas.dynamodb.ts';
import { getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

const NOON = Date.UTC(2026, 10, 26, 12);
let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

describe('a quota of a day', () => {
  it('is exact under concurrent calls, and says when to retry', async () => {
    const take = dailyQuota(table, 'events', 7);
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => take('acme', NOON)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    const refused = { status: 429, code: 'quota-exceeded', headers: { 'retry-after': '43200' } };
    for (const one of taken) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused);
  });

  it('is one of a tenant, of what is counted, and of a UTC day', async () => {
    const take = dailyQuota(table, 'events', 1);
    await take('one', NOON);
    await expect(take('one', NOON)).rejects.toThrow('Only 1 events are taken');
    await take('two', NOON);
    await dailyQuota(table, 'places', 1)('one', NOON);
    await take('one', NOON + 12 * 3_600_000);
    const item = await getItem(table, { pk: 'QUOTA#one', sk: 'events#2026-11-26' });
    expect(item).toMatchObject({ count: 1, ttl: Date.UTC(2026, 10, 28) / 1_000 });
  });

  it('of nothing lets nothing through', async () => {
    await expect(dailyQuota(table, 'events', 0)('none', NOON)).rejects.toMatchObject({ status: 429 });
  });
});

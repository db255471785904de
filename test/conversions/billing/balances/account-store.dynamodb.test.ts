import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, INLINE_MAX } from '../../../../functions/conversions/billing/balances/account.ts';
import {
  advancedAccount,
  announceThreshold,
  meterKey,
  readAccount,
} from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import type { Table } from '../../../../shared/table/table.dynamodb.ts';
import { itemBytes } from '../../../bench/costs/dynamodb-units.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { account, NOW, patientTable, put, stored } from '../../../support/conversions/meter-accounts.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await patientTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const now = NOW / 1_000;
const itemOf = async (tenant: string): Promise<Account> => (await readAccount(table, tenant))!;

async function announcedTo(tenant: string) {
  const { Items: items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
  return items
    .map((item) => unmarshall(item))
    .filter(({ pk }) => String(pk).startsWith(`ANNOUNCEMENT#${tenant}#`))
    .map(({ trigger, data, time }) => ({ trigger, percent: data.percent, limit: data.limit, time }))
    .toSorted((a, b) => a.limit - b.limit || a.percent - b.percent);
}

describe('the announcement of a threshold', () => {
  const free = account('free');
  const withUsed = (used: number, more: Partial<Account> = {}) => ({ ...free, [`q_${free.periodId}`]: used, ...more });
  const announce = (tenant: string, item: Account, mode: 'live' | 'test' = 'live', at = now) =>
    announceThreshold(table, tenant, { mode, item, now: at });
  const announced = (percent: number, limit: number) => ({ percent, limit, trigger: 'Quota threshold reached' });

  it('is made once, with its mark, however many functions reach it at the same time', async () => {
    const item = withUsed(500);
    const tenant = await stored(table, item);
    await Promise.all(Array.from({ length: 8 }, () => announce(tenant, item)));
    // A function that still knows the item without its mark comes too late.
    await announce(tenant, item, 'live', now + 5_000);
    expect(await announcedTo(tenant)).toMatchObject([announced(50, 1_000)]);
    expect(Date.parse((await announcedTo(tenant))[0]!.time)).toBe(now);
    expect((await itemOf(tenant)).announcedThreshold).toEqual({
      periodId: free.periodId,
      included: 1_000,
      percent: 50,
    });
  });

  it('never takes back a higher one that another function has announced', async () => {
    const tenant = await stored(table, withUsed(900));
    await announce(tenant, withUsed(900));
    await announce(tenant, withUsed(500));
    await announce(tenant, withUsed(899));
    expect((await itemOf(tenant)).announcedThreshold?.percent).toBe(90);
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([90]);
    await announce(tenant, withUsed(1_000));
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([90, 100]);
  });

  it('is not made for a period, or for limits, that are over', async () => {
    const tenant = await stored(table, withUsed(500));
    await announce(tenant, withUsed(500, { periodId: 'm202610', q_m202610: 500 }));
    await announce(tenant, withUsed(500, { included: 500 }));
    expect(await announcedTo(tenant)).toEqual([]);
    expect((await itemOf(tenant)).announcedThreshold).toBeUndefined();
  });

  it('is made anew in the next period, and for a plan that includes more', async () => {
    const th = { periodId: free.periodId, included: 1_000, percent: 100 };
    const upgraded = withUsed(5_000, { included: 10_000, announcedThreshold: th });
    const tenant = await stored(table, upgraded);
    await announce(tenant, upgraded);
    const next = {
      ...upgraded,
      periodId: 'm202612',
      q_m202612: 5_000,
      announcedThreshold: (await itemOf(tenant)).announcedThreshold,
    };
    await put(table, tenant, next);
    await announce(tenant, next);
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([50, 50]);
    expect((await itemOf(tenant)).announcedThreshold).toEqual({ periodId: 'm202612', included: 10_000, percent: 50 });
  });

  it('of the test pool is made once in its life', async () => {
    const item = { ...free, testUsed: 200 };
    const tenant = await stored(table, item);
    await Promise.all([announce(tenant, item, 'test'), announce(tenant, item, 'test')]);
    await announce(tenant, { ...item, testUsed: 125 }, 'test');
    await announce(tenant, item, 'test', now + 5_000);
    expect(await announcedTo(tenant)).toMatchObject([announced(80, 250)]);
    expect(Date.parse((await announcedTo(tenant))[0]!.time)).toBe(now);
    expect(await itemOf(tenant)).toMatchObject({ announcedTestPercent: 80, testUsed: 200 });
    await announce(tenant, { ...item, testUsed: 250 }, 'test');
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([80, 100]);
  });

  it('does not exist without a threshold', async () => {
    const tenant = await stored(table, withUsed(499));
    await announce(tenant, withUsed(499));
    expect(await announcedTo(tenant)).toEqual([]);
  });
});

describe('a change that has come due', () => {
  it('is applied by one of many functions, which tells the item as it is then', async () => {
    const tenant = await stored(table, account('free', { arrival: NOW + 5 }));
    const item = await itemOf(tenant);
    const later = item.periodEnd / 1_000 + 5;
    const advanced = await Promise.all(Array.from({ length: 8 }, () => advancedAccount(table, tenant, item, later)));
    const done = advanced.filter((one) => one !== undefined);
    expect(done).toHaveLength(1);
    expect(done[0]).toEqual(await itemOf(tenant));
    expect(done[0]).toMatchObject({ version: item.version + 1, periodId: 'm202612', arrival: item.arrival });
  });

  it('is not applied to an account that has changed since, nor to a bucket that was used since', async () => {
    const item = account('growth', { arrival: NOW });
    const next = { plan: 'starter', at: item.periodEnd / 1_000 } as const;
    const falling = { ...item, subscription: { ...item.subscription, next } };
    const tenant = await stored(table, { ...falling, arrival: NOW + 1 });
    expect(await advancedAccount(table, tenant, falling, item.periodEnd / 1_000)).toBeUndefined();
    await put(table, tenant, { ...falling, version: item.version + 1 });
    expect(await advancedAccount(table, tenant, falling, item.periodEnd / 1_000)).toBeUndefined();
    await put(table, tenant, falling);
    expect(await advancedAccount(table, tenant, falling, item.periodEnd / 1_000)).toMatchObject({
      burst: 40,
      tokenMicros: 50_000,
    });
  });
});

describe('the item of an account', () => {
  it('is smaller than a kilobyte with all the credentials and counters that it may hold', async () => {
    const credential = (_: unknown, index: number) =>
      [`k${String(index).padStart(9, 'a')}`, { mode: 'live', state: 'active', hash: 'h'.repeat(20) }] as const;
    const at = now - 1;
    const scale = account('growth', { arrival: NOW + 123_457 });
    const item: Account = {
      ...scale,
      version: 99_999,
      validUntil: NOW + 1,
      included: 500_000,
      hardLimit: 987_654_321,
      testUsed: 249,
      liveTotal: 9_876_543_211,
      liveTotalAtDayStart: 9_876_543_210,
      testUsedAtDayStart: 248,
      announcedTestPercent: 90,
      announcedThreshold: { periodId: scale.periodId, included: 500_000, percent: 90 },
      credentials: Object.fromEntries(Array.from({ length: INLINE_MAX }, credential)),
      q_m202610: 123_457,
      q_p20261015: 123_457,
      [`q_${scale.periodId}`]: 123_457,
      subscription: {
        plan: 'scale',
        state: 'scale_dunning',
        currency: 'EUR',
        anchor: at,
        next: { plan: 'starter', at },
        capMicros: 123_456_789_123,
        paymentMethod: 'sepa',
        hasPaidScale: true,
        settledAt: at,
        failures: Array.from({ length: 8 }, () => at),
      },
    };
    const tenant = `acme-${'x'.repeat(21)}`;
    await put(table, tenant, item);
    const key = marshall(meterKey(tenant));
    const { Item: storedItem = {} } = await table.client.send(new GetItemCommand({ TableName: table.name, Key: key }));
    expect(Object.keys(item.credentials)).toHaveLength(12);
    expect(itemBytes(storedItem)).toBeLessThan(1_024);
    expect(itemBytes(storedItem)).toBeGreaterThan(800);
  });
});

import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INLINE_MAX, type MeterItem } from '../../../../functions/conversions/billing/balances/account.ts';
import {
  accountItem,
  advancedAccount,
  announceThreshold,
  meterKey,
} from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import type { Table } from '../../../../shared/table.dynamodb.ts';
import { itemBytes } from '../../../bench/dynamodb-units.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/local-endpoint.ts';
import { account, NOW, patientTable, put, stored } from '../../../support/meter-accounts.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await patientTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const now = NOW / 1_000;
const itemOf = async (tenant: string): Promise<MeterItem> => (await accountItem(table, tenant))!;

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
  const withUsed = (used: number, more: Partial<MeterItem> = {}) => ({ ...free, [`q_${free.per}`]: used, ...more });
  const announce = (tenant: string, item: MeterItem, mode: 'live' | 'test' = 'live', at = now) =>
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
    expect((await itemOf(tenant)).th).toEqual({ per: free.per, inc: 1_000, percent: 50 });
  });

  it('never takes back a higher one that another function has announced', async () => {
    const tenant = await stored(table, withUsed(900));
    await announce(tenant, withUsed(900));
    await announce(tenant, withUsed(500));
    await announce(tenant, withUsed(899));
    expect((await itemOf(tenant)).th?.percent).toBe(90);
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([90]);
    await announce(tenant, withUsed(1_000));
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([90, 100]);
  });

  it('is not made for a period, or for limits, that are over', async () => {
    const tenant = await stored(table, withUsed(500));
    await announce(tenant, withUsed(500, { per: 'm202610', q_m202610: 500 }));
    await announce(tenant, withUsed(500, { inc: 500 }));
    expect(await announcedTo(tenant)).toEqual([]);
    expect((await itemOf(tenant)).th).toBeUndefined();
  });

  it('is made anew in the next period, and for a plan that includes more', async () => {
    const th = { per: free.per, inc: 1_000, percent: 100 };
    const upgraded = withUsed(5_000, { inc: 10_000, th });
    const tenant = await stored(table, upgraded);
    await announce(tenant, upgraded);
    const next = { ...upgraded, per: 'm202612', q_m202612: 5_000, th: (await itemOf(tenant)).th };
    await put(table, tenant, next);
    await announce(tenant, next);
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([50, 50]);
    expect((await itemOf(tenant)).th).toEqual({ per: 'm202612', inc: 10_000, percent: 50 });
  });

  it('of the test pool is made once in its life', async () => {
    const item = { ...free, tu: 200 };
    const tenant = await stored(table, item);
    await Promise.all([announce(tenant, item, 'test'), announce(tenant, item, 'test')]);
    await announce(tenant, { ...item, tu: 125 }, 'test');
    await announce(tenant, item, 'test', now + 5_000);
    expect(await announcedTo(tenant)).toMatchObject([announced(80, 250)]);
    expect(Date.parse((await announcedTo(tenant))[0]!.time)).toBe(now);
    expect(await itemOf(tenant)).toMatchObject({ tt: 80, tu: 200 });
    await announce(tenant, { ...item, tu: 250 }, 'test');
    expect((await announcedTo(tenant)).map(({ percent }) => percent)).toEqual([80, 100]);
  });

  it('does not exist without a threshold', async () => {
    const tenant = await stored(table, withUsed(499));
    await announce(tenant, withUsed(499));
    expect(await announcedTo(tenant)).toEqual([]);
  });
});

describe('what has come due', () => {
  it('is applied by one of many functions, which tells the item as it is then', async () => {
    const tenant = await stored(table, account('free', { tat: NOW + 5 }));
    const item = await itemOf(tenant);
    const later = item.pe / 1_000 + 5;
    const advanced = await Promise.all(Array.from({ length: 8 }, () => advancedAccount(table, tenant, item, later)));
    const done = advanced.filter((one) => one !== undefined);
    expect(done).toHaveLength(1);
    expect(done[0]).toEqual(await itemOf(tenant));
    expect(done[0]).toMatchObject({ pv: item.pv + 1, per: 'm202612', tat: item.tat });
  });

  it('is not applied to an account that has changed since, nor to a bucket that was used since', async () => {
    const item = account('growth', { tat: NOW });
    const next = { plan: 'starter', at: item.pe / 1_000 } as const;
    const falling = { ...item, sub: { ...item.sub, next } };
    const tenant = await stored(table, { ...falling, tat: NOW + 1 });
    expect(await advancedAccount(table, tenant, falling, item.pe / 1_000)).toBeUndefined();
    await put(table, tenant, { ...falling, pv: item.pv + 1 });
    expect(await advancedAccount(table, tenant, falling, item.pe / 1_000)).toBeUndefined();
    await put(table, tenant, falling);
    expect(await advancedAccount(table, tenant, falling, item.pe / 1_000)).toMatchObject({ B: 40, T: 50_000 });
  });
});

describe('the item of an account', () => {
  it('is smaller than a kilobyte with all the credentials and counters that it may hold', async () => {
    const credential = (_: unknown, index: number) =>
      [`k${String(index).padStart(9, 'a')}`, { m: 'L', s: 'A', h: 'h'.repeat(20) }] as const;
    const at = now - 1;
    const scale = account('growth', { tat: NOW + 123_457 });
    const item: MeterItem = {
      ...scale,
      pv: 99_999,
      vu: NOW + 1,
      inc: 500_000,
      lim: 987_654_321,
      tu: 249,
      lu: 9_876_543_211,
      ld: 9_876_543_210,
      td: 248,
      tt: 90,
      th: { per: scale.per, inc: 500_000, percent: 90 },
      ks: Object.fromEntries(Array.from({ length: INLINE_MAX }, credential)),
      q_m202610: 123_457,
      q_p20261015: 123_457,
      [`q_${scale.per}`]: 123_457,
      sub: {
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
    const { Item: found = {} } = await table.client.send(new GetItemCommand({ TableName: table.name, Key: key }));
    expect(Object.keys(item.ks)).toHaveLength(12);
    expect(itemBytes(found)).toBeLessThan(1_024);
    expect(itemBytes(found)).toBeGreaterThan(800);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordLateUsage } from '../../../../functions/conversions/billing/late-usage/record-late-usage.dynamodb.ts';
import type { LateUsage } from '../../../../functions/conversions/billing/metering/late-usage.ts';
import { setPlan } from '../../../../functions/conversions/billing/plans/plan-store.dynamodb.ts';
import { newId } from '../../../../shared/ids.ts';
import { getItem, type Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';
import { BOOKED_AT, booked, itemOf, itemsOf, killedEverywhere } from '../../../support/conversions/booked-accounts.ts';

const DAY = 86_400_000;
const NOW = BOOKED_AT + DAY;

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const usage = (tenant: string, members: Partial<LateUsage> = {}): LateUsage => ({
  id: newId('req'),
  tenant,
  mode: 'live',
  at: NOW,
  counter: 'q_p20261115',
  amount: 1,
  ...members,
});
const record = (one: LateUsage, on = table) => recordLateUsage(on, one, NOW);
const markOf = (id: string) => getItem(table, { pk: `LATE_USAGE#${id}`, sk: 'LATE_USAGE' });

describe('late usage', () => {
  it('is counted once for each id, however often and however many at the same time it comes', async () => {
    const tenant = await booked(table, 'starter');
    const once = usage(tenant);
    await Promise.all(Array.from({ length: 8 }, () => record(once)));
    await record(once);
    expect(await itemOf(table, tenant)).toMatchObject({ q_p20261115: 1, version: 1 });
    await Promise.all(Array.from({ length: 8 }, () => record(usage(tenant))));
    expect(await itemOf(table, tenant)).toMatchObject({ q_p20261115: 9 });
  });

  it('is marked with what was counted, for longer than its message can live', async () => {
    const tenant = await booked(table, 'starter');
    const one = usage(tenant);
    await record(one);
    expect(await markOf(one.id)).toMatchObject({
      tenant,
      counter: 'q_p20261115',
      amount: 1,
      ttl: NOW / 1_000 + 30 * 86_400,
    });
  });

  it('recorded by a worker that dies at any of its calls, and again, is counted once', async () => {
    for (const counter of ['q_p20261115', undefined]) {
      const done = await killedEverywhere(
        table,
        async () => usage(await booked(table, 'starter'), { counter }),
        (mortal, one) => record(one, mortal),
      );
      expect(done).toHaveLength(counter ? 3 : 5);
      for (const { tenant } of done) expect(await itemOf(table, tenant)).toMatchObject({ q_p20261115: 1 });
    }
  });

  it('may go beyond the limit of a period, which is not billed', async () => {
    const tenant = await booked(table, 'free', { q_m202611: 1_000 });
    await record(usage(tenant, { counter: 'q_m202611' }));
    expect(await itemOf(table, tenant)).toMatchObject({ q_m202611: 1_001 });
  });

  it('of the test pool never goes beyond it', async () => {
    const tenant = await booked(table, 'scale', { testUsed: 245 });
    const pooled = () => usage(tenant, { mode: 'test', counter: 'testUsed' });
    await Promise.all(Array.from({ length: 12 }, () => record(pooled())));
    expect(await itemOf(table, tenant)).toMatchObject({ testUsed: 250, testQuota: 250 });
    const refused = pooled();
    await record(refused);
    expect(await markOf(refused.id)).toBeUndefined();
    await record(usage(tenant, { mode: 'test', counter: 'testUsed', amount: -1 }));
    expect(await itemOf(table, tenant)).toMatchObject({ testUsed: 249 });
  });

  it('that is given back is given back once, from the counter that it was taken from, and never below zero', async () => {
    const tenant = await booked(table, 'starter', { q_p20261015: 1, q_p20261115: 5, testUsed: 0 });
    const back = usage(tenant, { amount: -1, counter: 'q_p20261015' });
    await record(back);
    await record(back);
    await record(usage(tenant, { amount: -1, counter: 'q_p20261015' }));
    await record(usage(tenant, { amount: -1, counter: 'q_p20200101' }));
    await record(usage(tenant, { amount: -1, counter: 'testUsed', mode: 'test' }));
    const item = await itemOf(table, tenant);
    expect(item).toMatchObject({ q_p20261015: 0, q_p20261115: 5, testUsed: 0 });
    expect(item).not.toHaveProperty('q_p20200101');
  });

  it('of an account that does not exist changes nothing, and is not tried for ever', async () => {
    for (const counter of ['q_p20261115', undefined]) {
      const one = usage('nobody', { counter });
      await record(one);
      expect(await markOf(one.id)).toBeUndefined();
    }
    expect(await itemsOf(table, 'METER#', 'nobody')).toEqual([]);
  });

  it('without a counter belongs to the period of its time, whatever the account has become since', async () => {
    const counted = async (tenant: string, members: Partial<LateUsage>) => {
      await record(usage(tenant, { counter: undefined, ...members }));
      const item = await itemOf(table, tenant);
      return Object.entries(item).filter(
        ([name, value]) => (name.startsWith('q_') || name === 'testUsed') && value === 1,
      );
    };
    expect(await counted(await booked(table, 'starter'), {})).toEqual([['q_p20261115', 1]]);
    expect(await counted(await booked(table, 'starter'), { mode: 'test' })).toEqual([['testUsed', 1]]);
    expect(await counted(await booked(table, 'starter'), { at: NOW + 40 * DAY })).toEqual([['q_p20261215', 1]]);
    expect(await counted(await booked(table, 'free'), { at: BOOKED_AT - 20 * DAY })).toEqual([['q_m202610', 1]]);
    const upgraded = await booked(table, 'free');
    await setPlan(table, upgraded, { plan: 'starter' }, NOW);
    expect(await counted(upgraded, { at: NOW - DAY })).toEqual([['q_p20261116', 1]]);
  });
});

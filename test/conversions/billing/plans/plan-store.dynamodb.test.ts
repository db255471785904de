import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attributesOf } from '../../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import { meterKey } from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { previewChange } from '../../../../functions/conversions/billing/plans/manage-plan.ts';
import {
  applyPaymentEvent,
  setPlan,
  setSpendCap,
} from '../../../../functions/conversions/billing/plans/plan-store.dynamodb.ts';
import type { PaymentEvent } from '../../../../functions/conversions/billing/subscriptions/payments.ts';
import type { Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';
import {
  BOOKED_AT,
  booked,
  duringTraffic,
  itemOf,
  itemsOf,
  killedEverywhere,
  putItem,
} from '../../../support/conversions/booked-accounts.ts';

const DAY = 86_400_000;
const NOW = BOOKED_AT + DAY;

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions', { hasStream: true });
});
afterAll(() => endpoint.close());

const invoices = (tenant: string) => itemsOf(table, 'INVOICE#', tenant);
const announced = async (tenant: string, trigger: string) =>
  (await itemsOf(table, 'ANNOUNCEMENT#', tenant)).filter((item) => item['trigger'] === trigger);
const charged = async (tenant: string) =>
  (await invoices(tenant)).flatMap(({ lines }) =>
    (lines as { amountMicros: number }[]).map((line) => line.amountMicros),
  );

describe('an upgrade', () => {
  it('changes the account, charges once and announces plan and invoice, all in one write', async () => {
    const tenant = await booked(table, 'starter', { q_p20261115: 13_000 });
    expect(await setPlan(table, tenant, { plan: 'growth' }, NOW)).toMatchObject({
      effective: 'now',
      chargeMicros: 70_000_000,
    });
    expect(await itemOf(table, tenant)).toMatchObject({
      tokenMicros: 20_000,
      burst: 100,
      included: 50_000,
      version: 2,
      periodId: 'p20261115',
      q_p20261115: 13_000,
      subscription: { plan: 'growth', state: 'active', anchor: BOOKED_AT },
    });
    expect(await charged(tenant)).toEqual([99_000_000, -29_000_000]);
    expect(await invoices(tenant)).toMatchObject([
      { reason: 'upgrade', currency: 'USD', periodEnd: '2026-12-15T10:30:00.000Z', list: `INVOICES#${tenant}` },
    ]);
    const [plan] = await announced(tenant, 'Plan changed');
    expect(plan).toMatchObject({ data: { plan: 'growth', previousPlan: 'starter', state: 'active' } });
    const [invoice] = await announced(tenant, 'Invoice is written');
    expect(invoice).toMatchObject({ data: { amount: '70.00', currency: 'USD', reason: 'upgrade' } });
  });

  it('from Free carries over what is used, opens a paid period and charges its full price', async () => {
    const tenant = await booked(table, 'free', { q_m202611: 871 });
    await setPlan(table, tenant, { plan: 'starter' }, NOW);
    expect(await itemOf(table, tenant)).toMatchObject({ periodId: 'p20261116', q_p20261116: 871, q_m202611: 871 });
    expect(await charged(tenant)).toEqual([29_000_000]);
    expect(await itemsOf(table, 'PERIOD#', tenant)).toMatchObject([
      { list: 'OPEN_PERIODS', position: `2026-12-16T11:30:00.000Z#${tenant}` },
    ]);
  });

  it('from Free that never used anything begins at nothing', async () => {
    const tenant = await booked(table, 'free');
    await setPlan(table, tenant, { plan: 'starter' }, NOW);
    expect(await itemOf(table, tenant)).toMatchObject({ periodId: 'p20261116', q_p20261116: 0 });
  });

  it('requested by ten at the same time is charged once', async () => {
    const tenant = await booked(table, 'starter');
    const told = await Promise.all(Array.from({ length: 10 }, () => setPlan(table, tenant, { plan: 'growth' }, NOW)));
    expect(told.map(({ chargeMicros }) => chargeMicros).filter(Boolean)).toEqual([70_000_000]);
    expect(await invoices(tenant)).toHaveLength(1);
    expect(await announced(tenant, 'Plan changed')).toHaveLength(1);
  });

  it('to two plans at the same time charges the price of the higher one in total', async () => {
    for (let round = 0; round < 3; round += 1) {
      const tenant = await booked(table, 'free');
      await Promise.all((['starter', 'growth', 'scale'] as const).map((plan) => setPlan(table, tenant, { plan }, NOW)));
      const { subscription } = await itemOf(table, tenant);
      expect(subscription.plan).toBe('scale');
      expect((await charged(tenant)).reduce((sum, one) => sum + one, 0)).toBe(499_000_000);
    }
  });

  it('that dies at any of its calls and is requested again is charged once', async () => {
    const tenants = await killedEverywhere(
      table,
      () => booked(table, 'starter'),
      (mortal, tenant) => setPlan(mortal, tenant, { plan: 'growth' }, NOW),
    );
    expect(tenants.length).toBeGreaterThan(4);
    for (const tenant of tenants) {
      expect(await charged(tenant)).toEqual([99_000_000, -29_000_000]);
      expect((await itemOf(table, tenant)).subscription.plan).toBe('growth');
    }
  });

  it('writes nothing at all if its invoice cannot be written', async () => {
    const tenant = await booked(table, 'starter');
    await putItem(table, { pk: `INVOICE#${tenant}#upgrade-2-${tenant}`, sk: 'INVOICE' });
    const before = await itemOf(table, tenant);
    await expect(setPlan(table, tenant, { plan: 'growth' }, NOW)).rejects.toThrow('changes faster');
    expect(await itemOf(table, tenant)).toEqual(before);
    expect(await itemsOf(table, 'ANNOUNCEMENT#', tenant)).toEqual([]);
  });

  it('gets through a stream of metered requests, and loses none of them', async () => {
    const tenant = await booked(table, 'free', {
      hardLimit: 1_000_000,
      included: 1_000_000,
      tokenMicros: 1_000,
      burst: 400,
    });
    const admitted = await duringTraffic(table, tenant, { clients: 4, now: NOW }, async () => {
      await setPlan(table, tenant, { plan: 'growth' }, NOW);
      await setPlan(table, tenant, { plan: 'scale' }, NOW);
    });
    const item = await itemOf(table, tenant);
    expect(item.subscription).toMatchObject({ plan: 'scale', state: 'scale_intro' });
    expect(item['q_p20261116']).toBe(admitted);
    expect((await charged(tenant)).reduce((sum, one) => sum + one, 0)).toBe(499_000_000);
  });

  it('of an account that does not exist is a 404', async () => {
    const missing = expect.objectContaining({ status: 404, code: 'not-found' });
    await expect(setPlan(table, 'nobody', { plan: 'growth' }, NOW)).rejects.toEqual(missing);
    await expect(setSpendCap(table, 'nobody', 0, NOW)).rejects.toEqual(missing);
    await expect(
      applyPaymentEvent(table, 'nobody', { id: 'e', payment: 'p', kind: 'settled', at: NOW }, NOW),
    ).rejects.toEqual(missing);
  });
});

describe('a change that costs nothing', () => {
  it('writes no invoice: a downgrade, the same plan, and one that is refused', async () => {
    const tenant = await booked(table, 'growth');
    expect(await setPlan(table, tenant, { plan: 'starter' }, NOW)).toMatchObject({ effective: 'period-end' });
    expect((await itemOf(table, tenant)).subscription.next).toEqual({
      plan: 'starter',
      at: Date.parse('2026-12-15T10:30:00.000Z'),
    });
    await setPlan(table, tenant, { plan: 'growth' }, NOW);
    expect((await itemOf(table, tenant)).subscription).not.toHaveProperty('next');
    const before = await itemOf(table, tenant);
    await expect(setPlan(table, tenant, { plan: 'scale', paymentMethod: 'card' }, NOW)).rejects.toMatchObject({
      status: 422,
      code: 'payment-method-not-allowed',
    });
    expect(await itemOf(table, tenant)).toEqual(before);
    expect(await invoices(tenant)).toEqual([]);
    expect(await announced(tenant, 'Plan changed')).toEqual([]);
  });
});

describe('a cap on spending', () => {
  it('applies at once, in conversions at the price of the plan', async () => {
    const tenant = await booked(table, 'growth');
    expect(await setSpendCap(table, tenant, 25_000_000, NOW)).toMatchObject({
      hardLimit: 58_333,
      included: 50_000,
      version: 2,
    });
    expect((await itemOf(table, tenant)).hardLimit).toBe(58_333);
    expect(await setSpendCap(table, tenant, 0, NOW)).toMatchObject({ hardLimit: 50_000 });
    expect(await setSpendCap(table, tenant, undefined, NOW)).toMatchObject({
      hardLimit: 9_000_000_000_000_000,
      version: 4,
    });
    expect((await itemOf(table, tenant)).subscription).not.toHaveProperty('capMicros');
  });

  it('stated by many at the same time with a change of plan loses neither', async () => {
    const tenant = await booked(table, 'starter');
    await Promise.all([
      setPlan(table, tenant, { plan: 'growth' }, NOW),
      ...Array.from({ length: 5 }, () => setSpendCap(table, tenant, 3_000_000, NOW)),
    ]);
    expect(await itemOf(table, tenant)).toMatchObject({
      hardLimit: 51_000,
      subscription: { plan: 'growth', capMicros: 3_000_000 },
    });
    expect(await invoices(tenant)).toHaveLength(1);
  });
});

describe('events of payments', () => {
  const settled = (id: string, at = NOW): PaymentEvent => ({ id, payment: `of ${id}`, kind: 'settled', at });
  const failed = (id: string, at = NOW): PaymentEvent => ({ id, payment: `of ${id}`, kind: 'failed', at });

  it('open the full limits of Scale, with what was said of it in the same write', async () => {
    const tenant = await booked(table, 'scale');
    await applyPaymentEvent(table, tenant, settled('e1'), NOW);
    expect(await itemOf(table, tenant)).toMatchObject({
      burst: 400,
      included: 500_000,
      subscription: { state: 'scale_full', hasPaidScale: true },
    });
    expect(await announced(tenant, 'Plan changed')).toMatchObject([
      { data: { state: 'scale_full', previousState: 'scale_intro' } },
    ]);
    expect(await announced(tenant, 'Payment settled')).toMatchObject([
      { id: 'conversions-payment-e1', data: { payment: 'of e1', plan: 'scale', state: 'scale_full' } },
    ]);
  });

  it('block an account whose first payment fails, and its period is ended', async () => {
    const tenant = await booked(table, 'scale');
    await applyPaymentEvent(table, tenant, failed('e1'), NOW);
    expect(await itemOf(table, tenant)).toMatchObject({
      periodId: 'b202611',
      hardLimit: 1_000,
      subscription: { state: 'scale_blocked' },
    });
    expect(await itemsOf(table, 'PERIOD#', tenant)).toMatchObject([{ closed: { plan: 'scale', used: 0 } }]);
    expect(await announced(tenant, 'Payment failed')).toHaveLength(1);
  });

  it('are taken once by their id, however often and however many at the same time they come', async () => {
    const tenant = await booked(table, 'scale');
    const twelve = Array.from({ length: 12 }, () => applyPaymentEvent(table, tenant, settled('once'), NOW));
    await Promise.all(twelve);
    const item = await itemOf(table, tenant);
    await applyPaymentEvent(table, tenant, settled('once'), NOW + DAY);
    await applyPaymentEvent(table, tenant, { ...failed('once'), payment: 'another' }, NOW + DAY);
    expect(await itemOf(table, tenant)).toEqual(item);
    expect(item.version).toBe(2);
    expect(await announced(tenant, 'Payment settled')).toHaveLength(1);
  });

  it('of one payment at the same time are all applied', async () => {
    for (let round = 0; round < 3; round += 1) {
      const tenant = await booked(table, 'scale');
      const kinds = ['failed', 'settled', 'failed', 'failed'] as const;
      await Promise.all(
        kinds.map((kind, n) =>
          applyPaymentEvent(table, tenant, { id: `e${n}`, payment: 'one', kind, at: NOW + n }, NOW + n),
        ),
      );
      expect(await itemsOf(table, 'PAYMENT#', `${tenant}#`)).toMatchObject([
        { id: 'one', at: NOW + 3, settled: true, revision: 4 },
      ]);
      expect((await itemOf(table, tenant)).subscription).toMatchObject({
        state: 'scale_full',
        settledAt: NOW + 3,
        failures: [],
      });
    }
  });

  it('in every order end in one account', async () => {
    const events = [settled('a', NOW), failed('b', NOW + DAY), settled('c', NOW + 2 * DAY), failed('d', NOW + 3 * DAY)];
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [2, 0, 3, 1],
    ];
    for (const order of orders) {
      const tenant = await booked(table, 'scale');
      for (const index of order) await applyPaymentEvent(table, tenant, events[index]!, NOW + 5 * DAY);
      expect((await itemOf(table, tenant)).subscription).toMatchObject({
        state: 'scale_dunning',
        settledAt: NOW + 2 * DAY,
        failures: [NOW + 3 * DAY],
      });
    }
  });

  it('taken by a function that dies at any of its calls, and again, are taken once', async () => {
    const tenants = await killedEverywhere(
      table,
      () => booked(table, 'scale'),
      (mortal, tenant) => applyPaymentEvent(mortal, tenant, settled('e1'), NOW),
    );
    for (const tenant of tenants) {
      expect(await itemOf(table, tenant)).toMatchObject({ version: 2, subscription: { state: 'scale_full' } });
      expect(await announced(tenant, 'Payment settled')).toHaveLength(1);
      expect(await announced(tenant, 'Plan changed')).toHaveLength(1);
      expect(await itemsOf(table, 'PAYMENT#', `${tenant}#`)).toMatchObject([{ revision: 1 }]);
    }
  });

  it('of other tenants with the same ids are others', async () => {
    const [one, two] = [await booked(table, 'scale'), await booked(table, 'scale')];
    await applyPaymentEvent(table, one, settled('same'), NOW);
    await applyPaymentEvent(table, two, settled('same'), NOW);
    expect([(await itemOf(table, one)).subscription.state, (await itemOf(table, two)).subscription.state]).toEqual([
      'scale_full',
      'scale_full',
    ]);
  });

  it('on other plans are announced and stored, and change no limit', async () => {
    const tenant = await booked(table, 'growth');
    const before = await itemOf(table, tenant);
    await applyPaymentEvent(table, tenant, failed('e1'), BOOKED_AT + 1);
    expect(await itemOf(table, tenant)).toEqual({ ...before, version: 2 });
    expect(await announced(tenant, 'Payment failed')).toMatchObject([{ data: { plan: 'growth', state: 'active' } }]);
  });
});

describe('a change that was shown before', () => {
  const preview = async (tenant: string, plan: 'growth' | 'free', now = NOW) =>
    previewChange(await itemOf(table, tenant), { plan }, now);
  const changed = expect.objectContaining({ status: 409, code: 'plan-changed' });

  it('is made as it was shown, once', async () => {
    const tenant = await booked(table, 'starter');
    const { version, charge } = await preview(tenant, 'growth');
    expect(charge.amount).toBe('70.00');
    expect(await setPlan(table, tenant, { plan: 'growth', version }, NOW)).toMatchObject({ chargeMicros: 70_000_000 });
    await expect(setPlan(table, tenant, { plan: 'growth', version }, NOW)).rejects.toEqual(changed);
    expect(await charged(tenant)).toEqual([99_000_000, -29_000_000]);
  });

  it.each([
    ['another change', (tenant: string) => setPlan(table, tenant, { plan: 'free' }, NOW)],
    ['another way to pay', (tenant: string) => setPlan(table, tenant, { plan: 'starter', paymentMethod: 'card' }, NOW)],
  ])('is refused after %s', async (_what, change) => {
    const tenant = await booked(table, 'starter');
    const { version } = await preview(tenant, 'growth');
    await change(tenant);
    await expect(setPlan(table, tenant, { plan: 'growth', version }, NOW)).rejects.toEqual(changed);
    expect(await charged(tenant)).toEqual([]);
  });

  it('is refused in another period', async () => {
    const tenant = await booked(table, 'starter');
    const { version } = await preview(tenant, 'free');
    await expect(setPlan(table, tenant, { plan: 'free', version }, NOW + 31 * DAY)).rejects.toEqual(changed);
  });

  it('is made whatever requests, caps and days come between', async () => {
    const tenant = await booked(table, 'starter');
    const { version } = await preview(tenant, 'growth');
    await setSpendCap(table, tenant, 5_000_000, NOW);
    await putItem(table, {
      ...meterKey(tenant),
      ...attributesOf({ ...(await itemOf(table, tenant)), q_p20261115: 77, testUsed: 3 }),
    });
    expect(await setPlan(table, tenant, { plan: 'growth', version }, NOW + 3 * DAY)).toMatchObject({
      effective: 'now',
    });
  });

  it('is made once by ten calls at the same time', async () => {
    const tenant = await booked(table, 'starter');
    const { version } = await preview(tenant, 'growth');
    const calls = Array.from({ length: 10 }, () => setPlan(table, tenant, { plan: 'growth', version }, NOW));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toEqual(changed);
    expect(await charged(tenant)).toEqual([99_000_000, -29_000_000]);
  });
});

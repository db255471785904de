import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attributesOf } from '../../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import { meterKey, readAccount } from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { closePeriod, duePeriods } from '../../../../functions/conversions/billing/invoices/close-period.dynamodb.ts';
import { presentInvoice } from '../../../../functions/conversions/billing/invoices/invoice.ts';
import { listInvoices } from '../../../../functions/conversions/billing/invoices/invoice-store.dynamodb.ts';
import {
  applyPaymentEvent,
  setPlan,
  setSpendCap,
} from '../../../../functions/conversions/billing/plans/plan-store.dynamodb.ts';
import { removeItems } from '../../../../shared/erasures/tenant-items.dynamodb.ts';
import type { Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';
import {
  BOOKED_AT,
  booked,
  itemOf,
  itemsOf,
  killedEverywhere,
  putItem,
} from '../../../support/conversions/booked-accounts.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOW = BOOKED_AT + DAY;
/** The ends of the periods that begin with `BOOKED_AT`. */
const END = Date.parse('2026-12-15T10:30:00.000Z');
const SECOND_END = Date.parse('2027-01-15T10:30:00.000Z');
const JUST_DUE = END + HOUR + 1;
const FIRST = 'p20261115';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions', { hasStream: true });
});
afterAll(() => endpoint.close());

async function due(tenant: string, now: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const one of duePeriods(table, now)) if (one.tenant === tenant) ids.push(one.period.id);
  return ids;
}

const close = (tenant: string, id = FIRST, now = JUST_DUE, on = table) =>
  closePeriod(on, { tenant, period: { id } }, now);

/** Closes what is due, as the schedule does. */
async function closeDue(tenant: string, now: number) {
  for (const id of await due(tenant, now)) await close(tenant, id, now);
}

async function invoices(tenant: string) {
  const { items } = await listInvoices(table, tenant, { limit: 50 });
  return items.map(presentInvoice);
}
const lines = async (tenant: string) =>
  (await invoices(tenant)).flatMap((one) =>
    one.lines.map(({ kind, quantity, amount }) => [one.id.split('-')[0], kind, quantity, amount]),
  );

describe('a paid period', () => {
  it('is due an hour after its end, until its invoice is written', async () => {
    const tenant = await booked(table, 'starter');
    expect(await due(tenant, END + HOUR - 1)).toEqual([]);
    expect(await due(tenant, JUST_DUE)).toEqual([FIRST]);
    await close(tenant);
    expect(await due(tenant, JUST_DUE)).toEqual([]);
    expect(await due(tenant, SECOND_END + HOUR + 1)).toEqual(['p20261215']);
  });

  it('of an idle account leaves the flat price of the next one, announced with it', async () => {
    const tenant = await booked(table, 'starter');
    await close(tenant);
    expect(await itemOf(table, tenant)).toMatchObject({ periodId: 'p20261215', version: 2 });
    expect(await invoices(tenant)).toMatchObject([
      {
        id: `${FIRST}-${tenant}`,
        reason: 'period',
        currency: 'USD',
        periodStart: '2026-11-15T10:30:00.000Z',
        periodEnd: '2026-12-15T10:30:00.000Z',
        lines: [{ kind: 'flat', description: 'Plan Starter, next period', unitPrice: '29.00', amount: '29.00' }],
        amount: '29.00',
      },
    ]);
    expect(await itemsOf(table, 'ANNOUNCEMENT#', tenant)).toMatchObject([
      { trigger: 'Invoice is written', data: { invoice: `${FIRST}-${tenant}`, amount: '29.00', reason: 'period' } },
    ]);
  });

  it('of an account that has moved on by itself is closed with what it ended on', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 13_000 });
    // The first request after the end, and then an upgrade before the invoice.
    await setSpendCap(table, tenant, undefined, END + 60_000);
    await setPlan(table, tenant, { plan: 'growth' }, END + 120_000);
    await close(tenant);
    expect(new Set(await lines(tenant))).toEqual(
      new Set([
        [FIRST, 'flat', 1, '29.00'],
        [FIRST, 'overage', 3_000, '12.00'],
        ['upgrade', 'credit', 1, '-29.00'],
        ['upgrade', 'flat', 1, '99.00'],
      ]),
    );
  });

  it('of an erased account still gets its invoice, from what it ended on', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 13_000 });
    await setPlan(table, tenant, { plan: 'free' }, NOW);
    await setSpendCap(table, tenant, undefined, END + 60_000);
    await removeItems(table, [{ ...meterKey(tenant) }]);
    await close(tenant);
    expect(await lines(tenant)).toEqual([[FIRST, 'overage', 3_000, '12.00']]);
    expect(await due(tenant, JUST_DUE)).toEqual([]);
  });

  it('that ends with an upgrade just behind it is billed on the plan that it ended on', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 13_000 });
    await setPlan(table, tenant, { plan: 'growth' }, END);
    await close(tenant);
    const upgraded = await booked(table, 'starter', { [`q_${FIRST}`]: 13_000 });
    await setPlan(table, upgraded, { plan: 'growth' }, END - 1);
    await close(upgraded);
    expect((await lines(tenant)).filter(([id]) => id === FIRST)).toEqual([
      [FIRST, 'flat', 1, '29.00'],
      [FIRST, 'overage', 3_000, '12.00'],
    ]);
    expect((await lines(upgraded)).filter(([id]) => id === FIRST)).toEqual([[FIRST, 'flat', 1, '99.00']]);
  });

  it('closed by a worker that dies at any of its calls, and again, leaves one invoice', async () => {
    const tenants = await killedEverywhere(
      table,
      () => booked(table, 'starter', { [`q_${FIRST}`]: 13_000 }),
      (mortal, tenant) => close(tenant, FIRST, JUST_DUE, mortal),
    );
    expect(tenants).toHaveLength(1 + 2 * 5);
    for (const tenant of tenants) {
      expect(await lines(tenant)).toEqual([
        [FIRST, 'flat', 1, '29.00'],
        [FIRST, 'overage', 3_000, '12.00'],
      ]);
      expect(await due(tenant, JUST_DUE)).toEqual([]);
      expect(await itemsOf(table, 'ANNOUNCEMENT#', tenant)).toHaveLength(1);
    }
  });

  it('closed by five workers at the same time, and once more a day later, leaves one invoice', async () => {
    const tenant = await booked(table, 'growth', { [`q_${FIRST}`]: 62_000 });
    await Promise.all(Array.from({ length: 5 }, () => close(tenant)));
    await close(tenant, FIRST, JUST_DUE + DAY);
    expect(await lines(tenant)).toEqual([
      [FIRST, 'flat', 1, '99.00'],
      [FIRST, 'overage', 12_000, '36.00'],
    ]);
  });

  it('that ends in Free leaves no invoice where nothing is to be paid, and is not due again', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 10_000 });
    await setPlan(table, tenant, { plan: 'free' }, NOW);
    await close(tenant);
    expect(await invoices(tenant)).toEqual([]);
    expect(await due(tenant, JUST_DUE)).toEqual([]);
    expect(await itemOf(table, tenant)).toMatchObject({ periodId: 'm202612', subscription: { plan: 'free' } });
    expect(await due(tenant, SECOND_END + DAY)).toEqual([]);
  });

  it('before a downgrade is billed at its own prices, and the next at those of the new plan', async () => {
    const tenant = await booked(table, 'growth', { [`q_${FIRST}`]: 51_000 });
    await setPlan(table, tenant, { plan: 'starter' }, NOW);
    await close(tenant);
    expect(await lines(tenant)).toEqual([
      [FIRST, 'flat', 1, '29.00'],
      [FIRST, 'overage', 1_000, '3.00'],
    ]);
  });

  it('is billed for what was used before a cap was lowered, and not for what came late beyond the cap', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 13_000 });
    await setSpendCap(table, tenant, 0, END - 60_000);
    await close(tenant);
    expect(await lines(tenant)).toContainEqual([FIRST, 'overage', 3_000, '12.00']);
    const capped = await booked(table, 'starter');
    await setSpendCap(table, capped, 4_000_000, NOW);
    await close(capped);
    await putItem(table, {
      ...attributesOf({ ...(await itemOf(table, capped)), q_p20261215: 99_000 }),
      ...meterKey(capped),
    });
    await close(capped, 'p20261215', SECOND_END + HOUR + 1);
    expect(await lines(capped)).toContainEqual(['p20261215', 'overage', 1_000, '4.00']);
  });

  it('is closed with all that were missed while the schedule stood still, each with its own count', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 13_000 });
    const months = Date.parse('2027-03-20T00:00:00.000Z');
    await closeDue(tenant, months);
    await closeDue(tenant, months + HOUR);
    expect(await lines(tenant)).toEqual(
      expect.arrayContaining([
        [FIRST, 'flat', 1, '29.00'],
        [FIRST, 'overage', 3_000, '12.00'],
        ['p20261215', 'flat', 1, '29.00'],
        ['p20270115', 'flat', 1, '29.00'],
        ['p20270215', 'flat', 1, '29.00'],
      ]),
    );
    expect(await lines(tenant)).toHaveLength(5);
    expect(await readAccount(table, tenant)).toMatchObject({ periodId: 'p20270315' });
    expect(await itemOf(table, tenant)).not.toHaveProperty(`q_${FIRST}`);
  });

  it('counts what came late until its invoice', async () => {
    const tenant = await booked(table, 'starter', { [`q_${FIRST}`]: 10_000 });
    await setSpendCap(table, tenant, undefined, END);
    const item = await itemOf(table, tenant);
    await putItem(table, { ...attributesOf({ ...item, [`q_${FIRST}`]: 10_250 }), ...meterKey(tenant) });
    await close(tenant);
    expect(await lines(tenant)).toContainEqual([FIRST, 'overage', 250, '1.00']);
  });

  it('in which the first payment failed is billed once, and goes on if one settles before its end', async () => {
    const tenant = await booked(table, 'scale', { [`q_${FIRST}`]: 51_000 });
    await applyPaymentEvent(table, tenant, { id: 'a', payment: 'a', kind: 'failed', at: NOW }, NOW);
    expect(await due(tenant, JUST_DUE)).toEqual([FIRST]);
    await applyPaymentEvent(table, tenant, { id: 'b', payment: 'b', kind: 'settled', at: NOW + DAY }, NOW + DAY);
    expect(await itemOf(table, tenant)).toMatchObject({ periodId: FIRST, included: 500_000 });
    await close(tenant);
    expect(await lines(tenant)).toEqual([[FIRST, 'flat', 1, '499.00']]);
  });

  it('after a downgrade of a blocked account is charged, with the overage from before', async () => {
    const tenant = await booked(table, 'scale', { [`q_${FIRST}`]: 51_000 });
    await applyPaymentEvent(table, tenant, { id: 'a', payment: 'a', kind: 'failed', at: NOW }, NOW);
    await setPlan(table, tenant, { plan: 'starter' }, NOW + DAY);
    expect((await itemOf(table, tenant)).subscription.next).toEqual({ plan: 'starter', at: END });
    await closeDue(tenant, JUST_DUE);
    expect(await lines(tenant)).toEqual([
      [FIRST, 'flat', 1, '29.00'],
      [FIRST, 'overage', 1_000, '1.50'],
    ]);
    expect(await itemOf(table, tenant)).toMatchObject({
      periodId: 'p20261215',
      subscription: { plan: 'starter', state: 'active' },
    });
  });

  it('that the account does not know of is an error, for the next run to repeat', async () => {
    const tenant = await booked(table, 'starter');
    await expect(close(tenant, FIRST, END - 1)).rejects.toThrow('does not know it');
    await expect(close(tenant, 'p20200101')).rejects.toThrow();
    expect(await invoices(tenant)).toEqual([]);
  });
});

describe('invoices', () => {
  it('are listed by tenant, the newest first, in pages', async () => {
    const tenant = await booked(table, 'starter');
    await booked(table, 'starter');
    await setPlan(table, tenant, { plan: 'growth' }, NOW);
    await close(tenant);
    const first = await listInvoices(table, tenant, { limit: 1 });
    expect(first.items.map(({ reason }) => reason)).toEqual(['period']);
    const cursor = first.nextCursor!;
    const second = await listInvoices(table, tenant, { limit: 5, cursor });
    expect(second.items.map(({ reason }) => reason)).toEqual(['upgrade']);
  });
});

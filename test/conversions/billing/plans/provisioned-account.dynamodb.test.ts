import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountById,
  changeAccount,
  createAccount,
  NewAccount,
  presentAccount,
} from '../../../../functions/accounts/tenants/account.ts';
import { accountStore } from '../../../../functions/accounts/tenants/account-store.dynamodb.ts';
import {
  accountChange,
  afterStep,
  newAccount,
} from '../../../../functions/conversions/billing/balances/account-changes.ts';
import { attributesOf } from '../../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import {
  addAccount,
  meterKey,
  readAccount,
  saveChange,
  stepAccount,
} from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { setPlan } from '../../../../functions/conversions/billing/plans/plan-store.dynamodb.ts';
import { provisionedAccount } from '../../../../functions/conversions/billing/plans/provisioned-account.dynamodb.ts';
import {
  newSubscription,
  onPlan,
  withCap,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';
import { showPlan, tenantKey } from '../../../../shared/auth/tenant-items.dynamodb.ts';
import { Refusal } from '../../../../shared/errors.ts';
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
import { Interlude } from '../../../support/faults/mortal-clients.ts';

const NOW = BOOKED_AT;

let endpoint: LocalEndpoint;
let accounts: Table;
let conversions: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  accounts = await createTable(endpoint, 'accounts');
  conversions = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

let tenants = 0;
async function tenantOn(plan: string, billingCurrency = 'USD'): Promise<string> {
  const id = `tenant-${(tenants += 1)}`;
  await putItem(accounts, { ...tenantKey(id), id, name: 'Acme', plan, billingCurrency, email: '' });
  return id;
}
const bound = ({ name, client }: Table, interlude: Interlude): Table => ({ name, client: interlude.bind(client) });
/** The tenant's next currency, unless its plan is billed in one by now. */
async function inCurrency(tenant: string, billingCurrency: 'EUR'): Promise<void> {
  await changeAccount(accountStore(accounts), tenant, { billingCurrency }, NOW).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'currency-in-use')) throw error;
  });
}
const provisioned = (tenant: string, now = NOW) => provisionedAccount({ accounts, conversions }, tenant, now);

describe('an account', () => {
  it.each([
    [
      'free',
      'USD',
      { periodId: 'm202611', included: 1_000, hardLimit: 1_000, burst: 10 },
      { plan: 'free', state: 'free', currency: 'USD' },
      0,
    ],
    [
      'growth',
      'GBP',
      { periodId: 'p20261115', included: 50_000, burst: 100 },
      { plan: 'growth', state: 'active', currency: 'GBP' },
      1,
    ],
    [
      'scale',
      'EUR',
      { periodId: 'p20261115', included: 50_000, burst: 100 },
      { state: 'scale_intro', paymentMethod: 'sepa' },
      1,
    ],
  ])('begins on the plan of its tenant: %s in %s', async (plan, currency, item, subscription, periods) => {
    const tenant = await tenantOn(plan, currency);
    const made = await provisioned(tenant);
    expect(made).toMatchObject({
      ...item,
      version: 1,
      arrival: 0,
      testQuota: 250,
      testUsed: 0,
      credentials: {},
      subscription,
    });
    expect(await itemsOf(conversions, 'PERIOD#', `${tenant}#`)).toHaveLength(periods);
    // The first period is paid in advance, like all later ones.
    expect(await itemsOf(conversions, 'INVOICE#', `${tenant}#`)).toHaveLength(periods);
  });

  it('begins once, however many need it at the same time, and stays as it is', async () => {
    const tenant = await tenantOn('starter');
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => provisioned(tenant, NOW + n)));
    for (const one of all) expect(one).toEqual(all[0]);
    expect(await itemsOf(conversions, 'PERIOD#', `${tenant}#`)).toHaveLength(1);
    expect(await itemsOf(conversions, 'INVOICE#', `${tenant}#`)).toMatchObject([
      { lines: [{ kind: 'flat', amountMicros: 29_000_000 }] },
    ]);
    await putItem(accounts, {
      ...tenantKey(tenant),
      id: tenant,
      name: '',
      plan: 'scale',
      billingCurrency: 'USD',
      email: '',
    });
    expect(await provisioned(tenant, NOW + 1_000)).toEqual(all[0]);
  });

  it.each<[string, (tenant: string) => Promise<unknown>]>([
    ['its tenant gets another currency', (tenant) => inCurrency(tenant, 'EUR')],
    ['another call needs it', (tenant) => provisioned(tenant)],
  ])('begins once, in the currency of its tenant, whenever %s between two calls to AWS', async (_, happen) => {
    for (const plan of ['free', 'growth']) {
      let call = 1;
      for (let happened = true; happened; call += 1) {
        const input = NewAccount.parse({ name: `Disturbed ${(tenants += 1)}`, plan });
        const { id: tenant } = await createAccount(accountStore(accounts), input, NOW);
        const interlude = new Interlude(call, () => happen(tenant));
        const tables = { accounts: bound(accounts, interlude), conversions: bound(conversions, interlude) };
        const made = await provisionedAccount(tables, tenant, NOW);
        happened = interlude.calls >= call;
        const { currency } = (await provisioned(tenant)).subscription;
        expect(made.subscription.plan).toBe(plan);
        expect(await itemsOf(conversions, 'INVOICE#', `${tenant}#`)).toHaveLength(plan === 'free' ? 0 : 1);
        expect((await accountById(accountStore(accounts), tenant)).billingCurrency).toBe(currency);
      }
      expect(call).toBeGreaterThan(4);
    }
  });

  it('that is made by a process that dies on the way is there with its period, or not at all', async () => {
    const made = await killedEverywhere(
      conversions,
      () => tenantOn('starter'),
      (mortal, tenant) => provisionedAccount({ accounts, conversions: mortal }, tenant, NOW),
    );
    for (const tenant of made) {
      expect(await itemOf(conversions, tenant)).toMatchObject({ periodId: 'p20261115', version: 1 });
      expect(await itemsOf(conversions, 'PERIOD#', `${tenant}#`)).toMatchObject([{ list: 'OPEN_PERIODS' }]);
    }
  });

  it('of a tenant that does not exist is a 404, and nothing is stored', async () => {
    await expect(provisioned('nobody')).rejects.toMatchObject({ status: 404, code: 'not-found' });
    expect(await readAccount(conversions, 'nobody')).toBeUndefined();
  });

  it('that is there already is not added again', async () => {
    const tenant = await booked(conversions, 'growth', { testUsed: 7 });
    const before = await itemOf(conversions, tenant);
    expect(await addAccount(conversions, tenant, newAccount(onPlan(newSubscription('USD', NOW), 'starter', NOW)))).toBe(
      false,
    );
    expect(await itemOf(conversions, tenant)).toEqual(before);
  });
});

describe('a step of an account', () => {
  const now = () => NOW;
  const cap = (micros: number) => (current: Parameters<typeof withCap>[0]) => withCap(current, micros);

  it('made by eight at the same time is made eight times, each on the account that the one before left', async () => {
    const tenant = await booked(conversions, 'starter');
    const raised = (current: Parameters<typeof withCap>[0]) => withCap(current, (current.capMicros ?? 0) + 1_000_000);
    await Promise.all(Array.from({ length: 8 }, () => stepAccount(conversions, tenant, raised, { now })));
    expect(await itemOf(conversions, tenant)).toMatchObject({ version: 9, subscription: { capMicros: 8_000_000 } });
  });

  it('is refused for an account that has changed since it was read: its version', async () => {
    const tenant = await booked(conversions, 'starter');
    const item = await itemOf(conversions, tenant);
    const change = (micros: number) =>
      accountChange(tenant, item, afterStep(item, NOW, cap(micros)), { nowMicros: NOW * 1_000 });
    expect(await saveChange(conversions, tenant, change(1_000_000))).toBe(true);
    expect(await saveChange(conversions, tenant, change(2_000_000))).toBe(false);
    expect((await itemOf(conversions, tenant)).subscription.capMicros).toBe(1_000_000);
  });

  it('that fills the bucket anew is refused once the bucket has been used beyond what it reckoned with', async () => {
    const tenant = await booked(conversions, 'starter', { arrival: NOW * 1_000 });
    const item = await itemOf(conversions, tenant);
    const up = (current: Parameters<typeof onPlan>[0]) => onPlan(current, 'growth', NOW);
    const change = (spare: number) =>
      accountChange(tenant, item, afterStep(item, NOW, up), { nowMicros: NOW * 1_000, spare });
    const usedTokens = (count: number) =>
      putItem(conversions, {
        ...meterKey(tenant),
        ...attributesOf({ ...item, arrival: item.arrival + count * item.tokenMicros }),
      });
    await usedTokens(3);
    expect(await saveChange(conversions, tenant, change(0))).toBe(false);
    expect(await saveChange(conversions, tenant, change(2))).toBe(false);
    await usedTokens(-1);
    expect(await saveChange(conversions, tenant, change(4))).toBe(false);
    await usedTokens(3);
    expect(await saveChange(conversions, tenant, change(4))).toBe(true);
    expect(await itemOf(conversions, tenant)).toMatchObject({ arrival: NOW * 1_000 + 4 * 20_000, tokenMicros: 20_000 });
  });

  it('is not made where nothing has come due, if it is made for that only', async () => {
    const tenant = await booked(conversions, 'starter');
    const { validUntil: vu, periodEnd: pe } = await itemOf(conversions, tenant);
    expect(vu).toBe(Date.UTC(2026, 10, 16) * 1_000);
    const due = (at: number) => stepAccount(conversions, tenant, (same) => same, { now: () => at, onlyIfDue: true });
    expect(await due(vu / 1_000 - 1)).toBeUndefined();
    expect((await itemOf(conversions, tenant)).version).toBe(1);
    expect(await due(vu / 1_000)).toBeDefined();
    expect(await itemOf(conversions, tenant)).toMatchObject({ version: 2, periodId: 'p20261115' });
    expect(await due(vu / 1_000)).toBeUndefined();
    expect(await due(pe / 1_000)).toBeDefined();
    expect(await itemOf(conversions, tenant)).toMatchObject({ version: 3, periodId: 'p20261215' });
  });
});

describe('the currency of an account', () => {
  const currencyOf = async (tenant: string) => (await provisioned(tenant)).subscription.currency;
  const store = () => accountStore(accounts);
  const named = async (plan: 'free' | 'growth') => {
    const account = await createAccount(store(), NewAccount.parse({ name: `Billed ${(tenants += 1)}`, plan }), NOW);
    return account.id;
  };
  const inUse = { status: 409, code: 'currency-in-use' };

  it('follows that of the tenant while nothing is billed', async () => {
    const tenant = await named('free');
    expect(await currencyOf(tenant)).toBe('USD');
    expect(await changeAccount(store(), tenant, { billingCurrency: 'EUR' }, NOW)).toMatchObject({ plan: 'free' });
    expect(await currencyOf(tenant)).toBe('EUR');
    await setPlan(conversions, tenant, { plan: 'starter', accounts }, NOW);
    expect((await provisioned(tenant)).subscription).toMatchObject({ plan: 'starter', currency: 'EUR' });
  });

  it('cannot be changed while a plan is billed in it, and the account shows that plan at once', async () => {
    const tenant = await named('free');
    await provisioned(tenant);
    await setPlan(conversions, tenant, { plan: 'growth', accounts }, NOW);
    await expect(changeAccount(store(), tenant, { billingCurrency: 'EUR' }, NOW)).rejects.toMatchObject(inUse);
    const same = await changeAccount(store(), tenant, { billingCurrency: 'USD', lastName: 'Doe' }, NOW);
    expect(presentAccount(same)).toMatchObject({ plan: 'growth', billingCurrency: 'USD', lastName: 'Doe' });
    const booked = await named('growth');
    await provisioned(booked);
    await expect(changeAccount(store(), booked, { billingCurrency: 'GBP' }, NOW)).rejects.toMatchObject(inUse);
  });

  it('can be changed again once Free is in force, and news of it that comes late changes nothing', async () => {
    const tenant = await named('free');
    await provisioned(tenant);
    await setPlan(conversions, tenant, { plan: 'growth', accounts }, NOW);
    const { version: pv } = (await readAccount(conversions, tenant))!;
    await showPlan(accounts, tenant, { plan: 'free', version: pv - 1 });
    await expect(changeAccount(store(), tenant, { billingCurrency: 'EUR' }, NOW)).rejects.toMatchObject(inUse);
    await showPlan(accounts, tenant, { plan: 'free', version: pv + 1 });
    expect(await changeAccount(store(), tenant, { billingCurrency: 'EUR' }, NOW)).toMatchObject({ plan: 'free' });
  });

  it('is one, whichever of a change of currency and an upgrade at the same time comes first', async () => {
    for (let n = 0; n < 10; n += 1) {
      const tenant = await named('free');
      await provisioned(tenant);
      await Promise.allSettled([
        changeAccount(store(), tenant, { billingCurrency: 'EUR' }, NOW),
        setPlan(conversions, tenant, { plan: 'growth', accounts }, NOW),
      ]);
      const account = await accountById(store(), tenant);
      const { plan, currency } = (await provisioned(tenant)).subscription;
      expect([account.plan, account.billingCurrency]).toEqual([plan, currency]);
      expect(plan).toBe('growth');
    }
  });
});

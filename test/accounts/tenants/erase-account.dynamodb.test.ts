import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeErasures } from '../../../functions/accounts/erasure/complete-erasures.ts';
import {
  type Account,
  changeAccount,
  createAccount,
  NewAccount,
  storedAccount,
} from '../../../functions/accounts/tenants/account.ts';
import { accountErasures } from '../../../functions/accounts/tenants/account-erasures.dynamodb.ts';
import { accountStore } from '../../../functions/accounts/tenants/account-store.dynamodb.ts';
import { eraseAccount } from '../../../functions/accounts/tenants/erase-account.ts';
import { presentStored } from '../../../functions/accounts/tenants/present-stored.ts';
import { userOf } from '../../../functions/accounts/users/user.ts';
import {
  billingWrite,
  readStatus,
  showPlan,
  tenantById,
  tenantKey,
} from '../../../shared/auth/tenant-items.dynamodb.ts';
import { ERASING_DOMAINS } from '../../../shared/erasures/erasure.ts';
import {
  completeErasure,
  erasureById,
  listErasures,
  noteErased,
  openErasures,
} from '../../../shared/erasures/erasure-items.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { getItem, type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { Interlude, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { deaths } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T10:30:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPERATOR = { tenant: 'operators' };

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());

let accounts = 0;
/** An account of a person, suspended at `NOW`. */
async function suspended(): Promise<Account> {
  const business = { name: `Leaving ${(accounts += 1)}`, organization: 'Ann & Co', email: 'ann@example.com' };
  const person = { firstName: 'Ann', lastName: 'Example', phoneNumber: '+49 30 1' };
  const account = await createAccount(accountStore(table), NewAccount.parse({ ...business, ...person }), NOW - DAY);
  return changeAccount(accountStore(table), account.id, { active: false }, NOW);
}

const erase = (id: string, now = NOW + DAY, { caller = OPERATOR, at = table } = {}) =>
  eraseAccount(accountErasures(at), { caller, id, erasure: newId('era'), now });

const bill = (id: string) =>
  transact(table, [billingWrite(table, id, { plan: 'growth', version: 5, currency: 'USD', isFirst: true })]);

describe('an account', () => {
  it('is erased 24 hours after it was suspended and no earlier, and never by its own operator', async () => {
    const { id } = await suspended();
    const refused = (code: string) => ({ status: 409, code });
    await expect(erase(id, NOW + DAY - 1)).rejects.toMatchObject(refused('account-suspended-recently'));
    await expect(erase(id, NOW + DAY, { caller: { tenant: id } })).rejects.toMatchObject(refused('own-account'));
    await changeAccount(accountStore(table), id, { active: true }, NOW + HOUR);
    await expect(erase(id, NOW + 9 * DAY)).rejects.toMatchObject(refused('account-active'));
    await changeAccount(accountStore(table), id, { active: false }, NOW + DAY);
    await expect(erase(id, NOW + DAY)).rejects.toMatchObject(refused('account-suspended-recently'));
    await expect(erase('nobody')).rejects.toMatchObject({ status: 404, code: 'not-found' });
    expect(await erase(id, NOW + 2 * DAY)).toMatchObject({ tenant: id, subject: 'account', erasedAt: {} });
  });

  it('is not erased while its plan is billed, and is once Free is in force', async () => {
    const { id } = await suspended();
    await bill(id);
    await expect(erase(id)).rejects.toMatchObject({ status: 409, code: 'account-billed' });
    await showPlan(table, id, { plan: 'free', version: 6 });
    expect(await erase(id)).toMatchObject({ tenant: id });
  });

  it.each([
    ['resumed', (id: string) => changeAccount(accountStore(table), id, { active: true }, NOW + DAY), 'account-active'],
    ['billed', bill, 'account-billed'],
  ] as const)('is not erased when it is %s at the same time', async (_what, change, code) => {
    const { id } = await suspended();
    const interlude = new Interlude(2, () => change(id));
    const at = { name: table.name, client: interlude.bind(table.client) };
    await expect(erase(id, NOW + DAY, { caller: OPERATOR, at })).rejects.toMatchObject({ code });
    expect((await listErasures(table, id, { limit: 10 })).items).toEqual([]);
  });

  it('is erased once, wherever a call dies and however often it is made', async () => {
    for (const mortality of deaths()) {
      const { id } = await suspended();
      const mortal = { name: table.name, client: mortality.bind(table.client) };
      await erase(id, NOW + DAY, { caller: OPERATOR, at: mortal }).catch(unlessKilled);
      const [one, two] = await Promise.all([erase(id), erase(id, NOW + 9 * DAY)]);
      expect(one.id).toBe(two.id);
      expect((await listErasures(table, id, { limit: 10 })).items).toEqual([await erase(id)]);
    }
  });
});

describe('an erased account', () => {
  it('keeps its id and times, and nothing of a person', async () => {
    const { id, createdAt } = await suspended();
    const { id: erasure } = await erase(id);
    const item = await getItem(table, tenantKey(id));
    expect(item).toEqual({
      ...tenantKey(id),
      id,
      active: false,
      apiIntegration: false,
      createdAt,
      suspendedAt: isoTime(NOW),
      erasure,
      list: 'ACCOUNTS',
      position: `${createdAt}#${id}`,
    });
    const { items } = await accountStore(table).list({ limit: 100 });
    expect(items).toContainEqual({ id, active: false, createdAt, suspendedAt: isoTime(NOW), erasure });
  });

  it('stays refused, and its id is never given again', async () => {
    const { id, name } = await suspended();
    await erase(id);
    const store = accountStore(table);
    expect(await readStatus(table, id)).toEqual({ active: false, apiIntegration: false });
    expect(await tenantById(table, id)).toBeUndefined();
    await expect(createAccount(store, NewAccount.parse({ name }), NOW)).rejects.toMatchObject({
      code: 'account-exists',
    });
    for (const change of [{ active: true }, { email: 'ann@example.com' }]) {
      await expect(changeAccount(store, id, change, NOW)).rejects.toMatchObject({
        status: 409,
        code: 'account-erased',
      });
    }
    const caller = { tokenId: 'tok_1', tenant: id, token: 't', planId: 'basic', availableDownloads: 1 };
    const token = { ...caller, id: 'tok_1', createdAt: isoTime(NOW) };
    await expect(userOf({ accounts: store, tokens: { byId: async () => token } }, caller, NOW)).rejects.toMatchObject({
      status: 404,
    });
  });

  it('is not brought back by a change that was under way, or by late news of a plan', async () => {
    const { id } = await suspended();
    // It has the switches of an erased one.
    await changeAccount(accountStore(table), id, { apiIntegration: false }, NOW);
    const interlude = new Interlude(2, () => erase(id));
    const store = accountStore({ name: table.name, client: interlude.bind(table.client) });
    await expect(changeAccount(store, id, { active: true }, NOW + DAY)).rejects.toMatchObject({
      code: 'account-erased',
    });
    const rest = await getItem(table, tenantKey(id));
    await showPlan(table, id, { plan: 'growth', version: 9 });
    expect(await bill(id)).toMatchObject({ done: false });
    expect(await getItem(table, tenantKey(id))).toEqual(rest);
  });

  it('shows what each domain has erased, when all have, and what remains and why', async () => {
    const { id } = await suspended();
    const opened = await erase(id);
    const view = async () =>
      presentStored((key) => erasureById(table, key))(await storedAccount(accountStore(table), id));
    const complete = (domains: readonly (typeof ERASING_DOMAINS.account)[number][], now: number) =>
      completeErasures(
        { open: () => openErasures(table), domains, complete: (one) => completeErasure(table, one, isoTime(now)) },
        now,
      );
    for (const domain of ['accounts', 'webhooks'] as const) await noteErased(table, opened, domain, isoTime(NOW + DAY));
    await complete(ERASING_DOMAINS.account, NOW + DAY);
    expect(await view()).toMatchObject({
      id,
      active: false,
      erasure: {
        id: opened.id,
        subject: 'account',
        account: id,
        status: 'running',
        erasedAt: { accounts: isoTime(NOW + DAY), webhooks: isoTime(NOW + DAY) },
        remains: expect.arrayContaining([expect.objectContaining({ what: 'Invoices, billed periods and payments' })]),
      },
    });
    // A stage without the other domains.
    await complete(['accounts', 'webhooks'], NOW + 2 * DAY);
    expect(await view()).toMatchObject({ erasure: { status: 'completed', completedAt: isoTime(NOW + 2 * DAY) } });
    expect((await erase(id, NOW + 3 * DAY)).completedAt).toBe(isoTime(NOW + 2 * DAY));
  });
});

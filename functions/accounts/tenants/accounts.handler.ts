/** Tenants: an operator makes and changes them, a tenant sees its own. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator, requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { erasureById } from '#shared/erasures/erasure-items.dynamodb';
import { created, httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { ItemPath, managementApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { AccountChange, changeAccount, createAccount, NewAccount, presentAccount, storedAccount } from './account.ts';
import { accountChangeFaults, newAccountFaults } from './account-faults.ts';
import { accountStore } from './account-store.dynamodb.ts';
import { presentStored } from './present-stored.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(managementApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const accounts = accountStore(table);
/** Presents an account; an erased one with the state of its erasure. */
const present = presentStored((key) => erasureById(table, key));

const create = httpHandler(
  api,
  { body: NewAccount, more: newAccountFaults(accounts) },
  async ({ caller, body, now }) => {
    requireOperator(caller);
    const account = await createAccount(accounts, body, now);
    return created(presentAccount(account), `/manage/v1/accounts/${account.id}`);
  },
);

const list = httpHandler(api, { query: PageQuery }, async ({ caller, query }) => {
  requireOperator(caller);
  const { items, ...rest } = await accounts.list(query);
  return ok({ items: await Promise.all(items.map(present)), ...rest });
});

const get = httpHandler(api, { path: ItemPath }, async ({ caller, path }) => {
  requireTenant(caller, path.id);
  return ok(await present(await storedAccount(accounts, path.id)));
});

const change = httpHandler(
  api,
  { path: ItemPath, body: AccountChange, more: accountChangeFaults(accounts) },
  async (call) => {
    requireOperator(call.caller);
    return ok(presentAccount(await changeAccount(accounts, call.path.id, call.body, call.now)));
  },
);

export const handler = httpRoutes({
  'POST /manage/v1/accounts': create,
  'GET /manage/v1/accounts': list,
  'GET /manage/v1/accounts/{id}': get,
  'PATCH /manage/v1/accounts/{id}': change,
});

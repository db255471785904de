/** Tenants: an operator makes and changes them, a tenant sees its own. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator, requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { erasureById } from '#shared/erasures/erasure-items.dynamodb';
import { apiRoutes, created, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { changeAccount, createAccount, presentAccount, storedAccount } from './account.ts';
import { accountChangeFaults, newAccountFaults } from './account-faults.ts';
import { accountStore } from './account-store.dynamodb.ts';
import { accountOperations } from './accounts.operations.ts';
import { presentStored } from './present-stored.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(managementApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const accounts = accountStore(table);
/** Presents an account; an erased one with the state of its erasure. */
const present = presentStored((key) => erasureById(table, key));

export const handler = apiRoutes(api, accountOperations, {
  createAccount: {
    more: newAccountFaults(accounts),
    answer: async ({ caller, body, now }) => {
      requireOperator(caller);
      const account = await createAccount(accounts, body, now);
      return created(presentAccount(account), `/manage/v1/accounts/${account.id}`);
    },
  },
  listAccounts: async ({ caller, query }) => {
    requireOperator(caller);
    const { items, ...rest } = await accounts.list(query);
    return ok({ items: await Promise.all(items.map(present)), ...rest });
  },
  getAccount: async ({ caller, path }) => {
    requireTenant(caller, path.id);
    return ok(await present(await storedAccount(accounts, path.id)));
  },
  changeAccount: {
    more: accountChangeFaults(accounts),
    answer: async ({ caller, path, body, now }) => {
      requireOperator(caller);
      return ok(presentAccount(await changeAccount(accounts, path.id, body, now)));
    },
  },
});

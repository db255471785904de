/** PATCH /manage/v1/accounts/{id}: an operator changes the named fields of a tenant. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, requireOperator } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { AccountChange, changeAccount, presentAccount } from './account.ts';
import { accountStore } from './account-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const accounts = accountStore(boundTable(readEnv(Env).ACCOUNTS_TABLE));
const input = { path: z.object({ id: z.string() }), body: AccountChange };

export const handler = httpHandler(managementApi, input, async ({ caller, path, body }) => {
  requireOperator(caller);
  return ok(presentAccount(await changeAccount(accounts, path.id, body)));
});

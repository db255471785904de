/** POST /manage/v1/accounts: an operator creates a tenant. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { managementApi, requireOperator } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { createAccount, NewAccount, presentAccount } from './account.ts';
import { accountStore } from './account-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const accounts = accountStore(boundTable(readEnv(Env).ACCOUNTS_TABLE));

export const handler = httpHandler(managementApi, { body: NewAccount }, async ({ caller, body, now }) => {
  requireOperator(caller);
  const account = await createAccount(accounts, body, now);
  return json(201, presentAccount(account), { location: `/manage/v1/accounts/${account.id}` });
});

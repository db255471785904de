/** POST /manage/v1/accounts/{id}/data-tokens: an operator gives a tenant a downloads token, shown this once. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { managementApi, requireOperator } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { createDataToken, NewDataToken, presentDataToken } from './data-token.ts';
import { dataTokenStore } from './data-token-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);
const accounts = accountStore(table);
const tokens = dataTokenStore(table);
const input = { path: z.object({ id: z.string() }), body: NewDataToken };

export const handler = httpHandler(managementApi, input, async ({ caller, path, body, now }) => {
  requireOperator(caller);
  const account = await accountById(accounts, path.id);
  const { secret, token } = await createDataToken(tokens, account.id, body, now);
  return json(201, { ...presentDataToken(token), token: secret }, { 'cache-control': 'no-store' });
});

/** GET /manage/v1/accounts/{id}/data-tokens: a tenant's downloads tokens, newest first, without their secrets. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, requireTenant } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { presentDataToken } from './data-token.ts';
import { dataTokenStore } from './data-token-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);
const accounts = accountStore(table);
const tokens = dataTokenStore(table);
const input = { path: z.object({ id: z.string() }), query: PageQuery };

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  requireTenant(caller, path.id);
  const account = await accountById(accounts, path.id);
  const { items, ...rest } = await tokens.list(account.id, query);
  return ok({ items: items.map(presentDataToken), ...rest });
});

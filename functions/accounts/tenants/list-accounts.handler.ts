/** GET /manage/v1/accounts: every tenant, newest first, for an operator. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, requireOperator } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { presentAccount } from './account.ts';
import { accountStore } from './account-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const accounts = accountStore(boundTable(readEnv(Env).ACCOUNTS_TABLE));

export const handler = httpHandler(managementApi, { query: PageQuery }, async ({ caller, query }) => {
  requireOperator(caller);
  const { items, ...rest } = await accounts.list(query);
  return ok({ items: items.map(presentAccount), ...rest });
});

/** GET /manage/v1/accounts/{id}: one tenant, for itself or an operator. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, requireTenant } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { accountById, presentAccount } from './account.ts';
import { accountStore } from './account-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const accounts = accountStore(boundTable(readEnv(Env).ACCOUNTS_TABLE));

export const handler = httpHandler(managementApi, { path: z.object({ id: z.string() }) }, async ({ caller, path }) => {
  requireTenant(caller, path.id);
  return ok(presentAccount(await accountById(accounts, path.id)));
});

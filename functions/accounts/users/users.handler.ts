/** The account behind the caller's downloads token: as an array of one, or bare under the token itself. */
import * as z from 'zod';
import { type DataCaller, dataApi } from '#shared/auth/data-account';
import { dataAccounts } from '#shared/auth/data-accounts.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { dataTokenStore } from '../data-tokens/data-token-store.dynamodb.ts';
import { accountsTable } from '../environment.ts';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { presentUser } from './user.ts';

export const Env = z.object(accountsTable);
const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);
const accounts = accountStore(table);
const tokens = dataTokenStore(table);
const surface = dataApi(dataAccounts(table));

async function userOf(caller: DataCaller) {
  const token = await tokens.byId(caller.tokenId);
  if (!token) throw notFound();
  return presentUser(caller, token, await accountById(accounts, token.tenant));
}

const notFound = () => new Refusal(404, 'not-found', 'The requested resource was not found.');

const list = httpHandler(surface, {}, async ({ caller }) => ok([await userOf(caller)]));

const get = httpHandler(surface, { path: z.object({ token: z.string() }) }, async ({ caller, path }) => {
  // Another account's token and one that nobody has get the same answer.
  if (path.token !== caller.token) throw notFound();
  return ok(await userOf(caller));
});

export const handler = httpRoutes({
  'GET /v3/users': list,
  'GET /v3/users/{token}': get,
});

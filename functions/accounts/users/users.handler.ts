/** The account behind the caller's data token: as an array of one, or bare under the token itself. */
import * as z from 'zod';
import { dataSurfaceOfAll } from '#shared/auth/data-token-items.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { dataTokenStore } from '../data-tokens/data-token-store.dynamodb.ts';
import { accountsTable } from '../environment.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { noSuchUser, userOf } from './user.ts';
import { userOperations } from './users.operations.ts';

export const Env = z.object(accountsTable);
const env = readEnv(Env);
const table = boundTable(env.ACCOUNTS_TABLE);
const users = { accounts: accountStore(table), tokens: dataTokenStore(table) };
// A suspended account reads here that it is: `active` is 0.
const surface = dataSurfaceOfAll(env.ACCOUNTS_TABLE);

export const handler = apiRoutes(surface, userOperations, {
  listUsers: async ({ caller, now }) => ok([await userOf(users, caller, now)]),
  getUser: async ({ caller, path, now }) => {
    // Another account's token and one that does not exist get the same answer.
    if (path.token !== caller.token) throw noSuchUser();
    return ok(await userOf(users, caller, now));
  },
});

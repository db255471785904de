/** GET /v3/users and GET /v3/users/{token}: the account behind the caller's token, as an array of one or bare. */
import * as z from 'zod';
import { dataApi } from '#shared/auth/data-account';
import { dataAccounts } from '#shared/auth/data-accounts.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { dataTokenStore } from '../data-tokens/data-token-store.dynamodb.ts';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { presentUser } from './user.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);
const accounts = accountStore(table);
const tokens = dataTokenStore(table);

export const handler = httpHandler(
  dataApi(dataAccounts(table)),
  { path: z.object({ token: z.string().optional() }) },
  async ({ caller, path }) => {
    // Another account's token and one that nobody has get the same answer.
    if (path.token !== undefined && path.token !== caller.token) throw notFound();
    const token = await tokens.byId(caller.tokenId);
    if (!token) throw notFound();
    const user = presentUser(caller, token, await accountById(accounts, token.tenant));
    return ok(path.token === undefined ? [user] : user);
  },
);

const notFound = () => new Refusal(404, 'not-found', 'The requested resource was not found.');

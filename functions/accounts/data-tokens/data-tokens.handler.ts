/** Data tokens of a tenant: an operator creates and changes them, each shown once; the tenant lists and revokes its own. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { dataPlans } from '#shared/auth/data-plan';
import { requireOperator, requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { changeDataToken, createDataToken, dataTokenFaults, presentDataToken, revokeDataToken } from './data-token.ts';
import { dataTokenStore } from './data-token-store.dynamodb.ts';
import { dataTokenOperations } from './data-tokens.operations.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...dataPlans });
const env = readEnv(Env);
const api = audited(managementApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const [accounts, tokens] = [accountStore(table), dataTokenStore(table)];
const issuing = { tokens, plans: env.DATA_PLANS };
const more = dataTokenFaults(env.DATA_PLANS);

export const handler = apiRoutes(api, dataTokenOperations, {
  createDataToken: {
    more,
    answer: async ({ caller, path, body, now }) => {
      requireOperator(caller);
      const { id: tenant } = await accountById(accounts, path.id);
      const { secret, token } = await createDataToken(issuing, tenant, body, now);
      const presented = presentDataToken(token, now);
      return created({ ...presented, token: secret }, `/manage/v1/accounts/${tenant}/data-tokens/${presented.id}`);
    },
  },
  listDataTokens: async ({ caller, path, query, now }) => {
    requireTenant(caller, path.id);
    const { id: tenant } = await accountById(accounts, path.id);
    return okPage(await tokens.list(tenant, query), (token) => presentDataToken(token, now));
  },
  changeDataToken: {
    more,
    answer: async ({ caller, path, body, now }) => {
      requireOperator(caller);
      return ok(
        presentDataToken(await changeDataToken(issuing, { tenant: path.id, id: path.tokenId }, body, now), now),
      );
    },
  },
  revokeDataToken: async ({ caller, path, now }) => {
    requireTenant(caller, path.id);
    await revokeDataToken(tokens, { tenant: path.id, id: path.tokenId }, now);
    return noContent();
  },
});

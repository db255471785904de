/** DELETE /manage/v1/accounts/{id}: an operator erases everything of a tenant that is suspended. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { apiRoutes, json } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { presentErasure } from '../erasure/erasure-state.ts';
import { accountErasures } from './account-erasures.dynamodb.ts';
import { eraseAccount } from './erase-account.ts';
import { accountErasureOperations } from './erase-accounts.operations.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(managementApi, env);
const erasures = accountErasures(boundTable(env.ACCOUNTS_TABLE));

export const handler = apiRoutes(api, accountErasureOperations, {
  eraseAccount: async ({ caller, path: { id }, now }) => {
    requireOperator(caller);
    const erasure = await eraseAccount(erasures, { caller, id, erasure: newId('era'), now });
    const location = `/manage/v1/erasures/${erasure.id}?tenant=${id}`;
    return json(202, presentErasure(erasure), { location });
  },
});

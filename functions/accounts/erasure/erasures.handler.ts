/** Erasures of a tenant's customers and of its account: their progress, and what remains. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { erasureById, listErasures } from '#shared/erasures/erasure-items.dynamodb';
import { apiRoutes, ok, okPage } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { presentErasure, requireErasure } from './erasure-state.ts';
import { erasureOperations } from './erasures.operations.ts';

export const Env = z.object(accountsTable);
const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);

export const handler = apiRoutes(tenantApi, erasureOperations, {
  listErasures: async ({ caller: { tenant }, query }) =>
    okPage(await listErasures(table, tenant, query), presentErasure),
  getErasure: async ({ caller: { tenant }, path }) =>
    ok(presentErasure(requireErasure(await erasureById(table, { tenant, id: path.id })))),
});

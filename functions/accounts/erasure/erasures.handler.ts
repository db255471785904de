/** Erasures of a tenant's customers and of its account: their progress, and what remains. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { erasureById, listErasures } from '#shared/erasures/erasure-items.dynamodb';
import { httpHandler, httpRoutes, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { presentErasure, requireErasure } from './erasure-state.ts';

export const Env = z.object(accountsTable);
const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);

const list = httpHandler(tenantApi, { query: PageQuery }, async ({ caller: { tenant }, query }) =>
  okPage(await listErasures(table, tenant, query), presentErasure),
);

const get = httpHandler(tenantApi, { path: ItemPath }, async ({ caller: { tenant }, path }) =>
  ok(presentErasure(requireErasure(await erasureById(table, { tenant, id: path.id })))),
);

export const handler = httpRoutes({
  'GET /manage/v1/erasures': list,
  'GET /manage/v1/erasures/{id}': get,
});

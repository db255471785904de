/** Invoices of a tenant, newest first: GET /manage/v1/accounts/{id}/invoices. */
import * as z from 'zod';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, okPage } from '#shared/http/http-handler';
import { ItemPath, managementApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table/table.dynamodb';
import { conversionsTable } from '../../environment.ts';
import { presentInvoice } from './invoice.ts';
import { listInvoices } from './invoice-store.dynamodb.ts';

export const Env = z.object(conversionsTable);
const table = boundTable(readEnv(Env).CONVERSIONS_TABLE);

const list = httpHandler(managementApi, { path: ItemPath, query: PageQuery }, async ({ caller, path, query }) => {
  requireTenant(caller, path.id);
  return okPage(await listInvoices(table, path.id, query), presentInvoice);
});

export const handler = httpRoutes({ 'GET /manage/v1/accounts/{id}/invoices': list });

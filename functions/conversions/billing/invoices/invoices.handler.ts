/** Invoices of a tenant, newest first: GET /manage/v1/accounts/{id}/invoices. */
import * as z from 'zod';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { apiRoutes, okPage } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { conversionsTable } from '../../environment.ts';
import { presentInvoice } from './invoice.ts';
import { listInvoices } from './invoice-store.dynamodb.ts';
import { invoiceOperations } from './invoices.operations.ts';

export const Env = z.object(conversionsTable);
const table = boundTable(readEnv(Env).CONVERSIONS_TABLE);

export const handler = apiRoutes(managementApi, invoiceOperations, {
  listInvoices: async ({ caller, path, query }) => {
    requireTenant(caller, path.id);
    return okPage(await listInvoices(table, path.id, query), presentInvoice);
  },
});

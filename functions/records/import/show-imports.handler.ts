/**
 * Imports of records, newest first, and a single one with its rejected lines. Records belong to no tenant, so only
 * operators may call it.
 */
import * as z from 'zod';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, ok, okPage } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { ALL_TENANTS } from '#shared/import/import-items.dynamodb';
import { importList } from '#shared/import/import-list.dynamodb';
import { importReports } from '#shared/import/import-reports.s3';
import { missingImport, presentImport } from '#shared/import/present-import';
import { boundTable } from '#shared/table/table.dynamodb';
import { recordsTable } from '../environment.ts';
import { recordImportOperations } from './show-imports.operations.ts';

export const Env = z.object({ ...recordsTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const imports = importList(boundTable(env.RECORDS_TABLE));
const reports = importReports(env.IMPORTS_BUCKET);

export const handler = apiRoutes(managementApi, recordImportOperations, {
  listRecordImports: async ({ caller, query }) => {
    requireOperator(caller);
    return okPage(await imports.page(ALL_TENANTS, query), presentImport);
  },
  getRecordImport: async ({ caller, path: { id } }) => {
    requireOperator(caller);
    const job = await imports.byId(ALL_TENANTS, id);
    if (!job) throw missingImport();
    return ok({ ...presentImport(job), ...(await reports.summary(job.reports)) });
  },
});

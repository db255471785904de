/**
 * Imports of records, newest first, and a single one with its rejected lines; and previews of files. Records belong to
 * no tenant, so only operators may call it.
 */

import * as z from 'zod';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { noSuch } from '#shared/errors';
import { apiRoutes, ok, okPage } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { ALL_TENANTS } from '#shared/import/import-items.dynamodb';
import { importList } from '#shared/import/import-list.dynamodb';
import { presentImport } from '#shared/import/present-import';
import { importReports } from '#shared/import/rejection-reports.s3';
import { boundTable } from '#shared/table/table.dynamodb';
import { recordsTable } from '../environment.ts';
import { previewRecords } from './preview-records.ts';
import { recordImportOperations } from './show-imports.operations.ts';

export const Env = z.object({ ...recordsTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const imports = importList(boundTable(env.RECORDS_TABLE));
const reports = importReports(env.IMPORTS_BUCKET);

export const handler = apiRoutes(managementApi, recordImportOperations, {
  listRecordImports: async ({ caller, query }) => {
    requireOperator(caller);
    const { key, ...page } = query;
    return okPage(key === undefined ? await imports.page(ALL_TENANTS, page) : await imports.ofKey(key), presentImport);
  },
  getRecordImport: async ({ caller, path: { id }, query }) => {
    requireOperator(caller);
    const job = await imports.byId(ALL_TENANTS, id);
    if (!job) noSuch('import');
    return ok(await reports.report(job, query.rejectionsAfter));
  },
  previewRecordImport: async ({ caller, body: { type, ...file } }) => {
    requireOperator(caller);
    return ok(await previewRecords(type, file));
  },
});

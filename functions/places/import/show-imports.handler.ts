/** Imports of a tenant's places, newest first; a single import also shows its rejected lines. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, ok, okPage } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { importList } from '#shared/import/import-list.dynamodb';
import { importReports } from '#shared/import/import-reports.s3';
import { missingImport, presentImport } from '#shared/import/present-import';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { placeImportOperations } from './show-imports.operations.ts';

export const Env = z.object({ ...placesTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const imports = importList(boundTable(env.PLACES_TABLE));
const reports = importReports(env.IMPORTS_BUCKET);

export const handler = apiRoutes(tenantApi, placeImportOperations, {
  listPlaceImports: async ({ caller: { tenant }, query }) => okPage(await imports.page(tenant, query), presentImport),
  getPlaceImport: async ({ caller: { tenant }, path: { id } }) => {
    const job = await imports.byId(tenant, id);
    if (!job) throw missingImport();
    return ok({ ...presentImport(job), ...(await reports.summary(job.reports)) });
  },
});

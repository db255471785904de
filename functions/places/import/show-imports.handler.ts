/** Imports of a tenant's places, newest first; a single import also shows its rejected lines. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { httpHandler, httpRoutes, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { importList } from '#shared/import/import-list.dynamodb';
import { importReports } from '#shared/import/import-reports.s3';
import { missingImport, presentImport } from '#shared/import/present-import';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';

export const Env = z.object({ ...placesTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const imports = importList(boundTable(env.PLACES_TABLE));
const reports = importReports(env.IMPORTS_BUCKET);

const list = httpHandler(tenantApi, { query: PageQuery }, async ({ caller: { tenant }, query }) =>
  okPage(await imports.page(tenant, query), presentImport),
);

const get = httpHandler(tenantApi, { path: ItemPath }, async ({ caller: { tenant }, path: { id } }) => {
  const job = await imports.byId(tenant, id);
  if (!job) throw missingImport();
  return ok({ ...presentImport(job), ...(await reports.summary(job.reports)) });
});

export const handler = httpRoutes({
  'GET /manage/v1/loyalty/imports': list,
  'GET /manage/v1/loyalty/imports/{id}': get,
});

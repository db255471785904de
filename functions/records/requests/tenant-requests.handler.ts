/** Downloads of a tenant, whichever of its tokens has paid for them: newest first, or a single one with its files. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { noSuch } from '#shared/errors';
import { apiRoutes, ok, okPage } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { downloadStates } from '../download/download-store.dynamodb.ts';
import { accountsTable, recordsTable } from '../environment.ts';
import { FILES_SHOWN, presentTenantRequest, presentWithFiles, requestIdOf } from './tenant-request.ts';
import { requestOfTenant, requestsOfTenant } from './tenant-requests.dynamodb.ts';
import { downloadRequestOperations } from './tenant-requests.operations.ts';

export const Env = z.object({ ...accountsTable, ...recordsTable });
const env = readEnv(Env);
const tables = { records: boundTable(env.RECORDS_TABLE), accounts: boundTable(env.ACCOUNTS_TABLE) };
const downloads = downloadStates(tables.records);

export const handler = apiRoutes(tenantApi, downloadRequestOperations, {
  listDownloadRequests: async ({ caller: { tenant }, query }) =>
    okPage(await requestsOfTenant(tables, tenant, query), presentTenantRequest),
  getDownloadRequest: async ({ caller: { tenant }, path, query, now }) => {
    const request = await requestOfTenant(tables.records, { tenant, id: requestIdOf(path.id) });
    if (!request) noSuch('request');
    const files = await downloads.files(request, now, { after: query.filesAfter, limit: FILES_SHOWN });
    return ok(presentWithFiles(request, files));
  },
});

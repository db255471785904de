/** The downloads of an account, whichever of its tokens has paid: newest first, or a single one as an array. */
import * as z from 'zod';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { requestIdIn } from '../download/download-request.ts';
import { accountsTable, recordsTable } from '../environment.ts';
import { accountRequests, presentAccountRequest } from './account-requests.ts';
import { dataRequestOperations } from './requests.operations.ts';
import { cursorAfter, requestOfTenant, requestsOfTenant } from './tenant-requests.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...recordsTable });
const env = readEnv(Env);
const surface = dataSurface(env.ACCOUNTS_TABLE);
const tables = { records: boundTable(env.RECORDS_TABLE), accounts: boundTable(env.ACCOUNTS_TABLE) };

const PAGE_REQUESTS = 100;

export const handler = apiRoutes(surface, dataRequestOperations, {
  listDataRequests: async ({ caller, query }) => {
    const { tenant, tokenId } = caller;
    const pageAt = (cursor: string | undefined) =>
      requestsOfTenant(tables, tenant, { limit: PAGE_REQUESTS, ...(cursor !== undefined && { cursor }) }, tokenId);
    const { requests, last } = await accountRequests(pageAt, caller, query.cursor);
    return ok(requests, last && { link: `</v3/requests?cursor=${cursorAfter(tenant, last)}>; rel="next"` });
  },
  getDataRequest: async ({ caller, path }) => {
    const id = requestIdIn(path.id);
    // A request of another account and one that does not exist get the same answer.
    const request = id === undefined ? undefined : await requestOfTenant(tables.records, { tenant: caller.tenant, id });
    if (!request) throw new Refusal(400, 'bad-request', 'request does not exist');
    return ok([presentAccountRequest(request, caller)]);
  },
});

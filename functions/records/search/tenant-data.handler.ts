/**
 * Searches of a tenant without a data token in the call: a preview, or a download that one of the tenant's tokens pays
 * for.
 */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { renewed } from '#shared/auth/data-credit';
import { viewsOf } from '#shared/auth/data-plan';
import { tokensOf } from '#shared/auth/data-token-items.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, ok } from '#shared/http/http-handler';
import { locationOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { startDownload } from '../download/start-download.ts';
import { searching } from '../environment.ts';
import { presentTenantRequest } from '../requests/tenant-request.ts';
import { sampledFacets } from './facets.ts';
import { limitedPreview, takeOne } from './limited-preview.ts';
import { jsonRecords, refusingTooManyTerms } from './preview.ts';
import { searchParts } from './search-parts.dynamodb.ts';
import { tenantDataOperations } from './tenant-data.operations.ts';
import { orderFor, previewFor, searchApi } from './tenant-search.ts';

export const Env = z.object({ ...auditTable, ...searching });
const env = readEnv(Env);
const api = audited(searchApi, env);
const parts = searchParts(env, () => Date.now());
const accounts = boundTable(env.ACCOUNTS_TABLE);

/** The tenant's data tokens, with the views of their plans and their credit of this month. */
const searchTokens = async (tenant: string, now: number) =>
  (await tokensOf(accounts, tenant)).map((token) => ({
    ...renewed(token, now),
    views: viewsOf(env.DATA_PLANS, token.planId),
  }));

export const handler = apiRoutes(api, tenantDataOperations, {
  previewRecords: async ({ caller: { tenant }, path, query, now }) => {
    const preview = previewFor(await searchTokens(tenant, now), path.type, query);
    const { matches, headers } = await limitedPreview(parts, preview, { holder: tenant, now });
    return ok({ estimatedTotal: matches.total, records: jsonRecords(preview, matches) }, headers);
  },
  listFacets: async ({ caller: { tenant }, path, query, now }) => {
    const search = previewFor(await searchTokens(tenant, now), path.type, query);
    const headers = await takeOne(parts, { holder: tenant, now });
    return ok(await sampledFacets(parts, search), headers);
  },
  createDownloadRequest: async ({ caller, body, now }) => {
    const { search, token } = orderFor(await searchTokens(caller.tenant, now), body);
    const request = await refusingTooManyTerms(startDownload(parts, search, token));
    return created(presentTenantRequest(request), locationOf(`requests/${request.id}`, caller));
  },
});

/** The first records that match a query and how many there are, or a download of all of them. */
import * as z from 'zod/mini';
import { viewsOf } from '#shared/auth/data-plan';
import { previewHolder } from '#shared/auth/data-token';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, json, ok } from '#shared/http/http-handler';
import { presentRequest } from '../download/download-request.ts';
import { startDownload } from '../download/start-download.ts';
import { searching } from '../environment.ts';
import { limitedPreview } from './limited-preview.ts';
import { presentPreview, refusingTooManyTerms } from './preview.ts';
import { readSearch } from './read-search.ts';
import { searchOperations } from './search-data.operations.ts';
import { searchParts } from './search-parts.dynamodb.ts';

export const Env = z.object(searching);
const env = readEnv(Env);
const parts = searchParts(env, () => Date.now());
const surface = dataSurface(env.ACCOUNTS_TABLE, parts.buckets);

export const handler = apiRoutes(surface, searchOperations, {
  searchRecords: async ({ caller, path, query, now }) => {
    const wishes = readSearch(path.type, query, viewsOf(env.DATA_PLANS, caller.planId));
    if (wishes.download) {
      const request = await refusingTooManyTerms(startDownload(parts, wishes, caller));
      return json(303, presentRequest(request, caller.token), { location: `/v3/requests/${request.id}` });
    }
    const { matches, headers } = await limitedPreview(parts, wishes, { holder: previewHolder(caller), now });
    return ok(await presentPreview(wishes, matches), headers);
  },
});

/** The caller's downloads, newest first, or one of them as an array of one. */
import * as z from 'zod';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { accountsTable, recordsTable } from '../environment.ts';
import { presentRequest, presentRequests, requestIdIn } from './download-request.ts';
import { downloadStates } from './download-states.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...recordsTable });
const env = readEnv(Env);
const surface = dataSurface(env.ACCOUNTS_TABLE);
const downloads = downloadStates(boundTable(env.RECORDS_TABLE));

const list = httpHandler(surface, {}, async ({ caller: { token, tokenId } }) =>
  ok(await presentRequests(downloads.requests(tokenId), token)),
);

const get = httpHandler(surface, { path: z.object({ id: z.string() }) }, async ({ caller, path }) => {
  const id = requestIdIn(path.id);
  // Another account's request and one that does not exist get the same answer.
  const request = id === undefined ? undefined : await downloads.request({ tokenId: caller.tokenId, id });
  if (!request) throw new Refusal(400, 'bad-request', 'request does not exist');
  return ok([presentRequest(request, caller.token)]);
});

export const handler = httpRoutes({ 'GET /v3/requests': list, 'GET /v3/requests/{id}': get });

/** GET /v3/requests and GET /v3/requests/{id}: the caller's downloads, or one of them as an array of one. */
import * as z from 'zod';
import { dataApi } from '#shared/auth/data-account';
import { dataAccounts } from '#shared/auth/data-accounts.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { presentRequest, presentRequests, requestIdIn } from './download-request.ts';
import { downloadStates } from './download-states.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1), DOWNLOADS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const accounts = boundTable(env.ACCOUNTS_TABLE);
const downloads = downloadStates(boundTable(env.DOWNLOADS_TABLE));

export const handler = httpHandler(
  dataApi(dataAccounts(accounts)),
  { path: z.object({ id: z.string().optional() }) },
  async ({ caller: { token, tokenId }, path }) => {
    if (path.id === undefined) {
      return ok(await presentRequests(downloads.requests(tokenId), token));
    }
    const id = requestIdIn(path.id);
    // Another account's request and one that nobody has get the same answer.
    const request = id === undefined ? undefined : await downloads.request({ tokenId, id });
    if (!request) throw new Refusal(400, 'bad-request', 'request does not exist');
    return ok([presentRequest(request, token)]);
  },
);

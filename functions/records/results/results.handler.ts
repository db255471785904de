/** The files of a download that has ended, each with a link, for as long as the file is kept. */
import * as z from 'zod';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { requestIdIn } from '../download/download-request.ts';
import { downloadStates } from '../download/download-states.dynamodb.ts';
import { accountsTable, recordsTable } from '../environment.ts';
import { fileAfter, MAX_RESULTS, nextLink, presentResult } from './present-result.ts';
import { resultLinks } from './result-links.s3.ts';

export const Env = z.object({ ...accountsTable, ...recordsTable, RESULTS_BUCKET: resource });
const env = readEnv(Env);
const surface = dataSurface(env.ACCOUNTS_TABLE);
const downloads = downloadStates(boundTable(env.RECORDS_TABLE));
const links = resultLinks(env.RESULTS_BUCKET);
const input = { path: z.object({ id: z.string() }), query: z.object({ after: z.string().optional() }) };

const list = httpHandler(surface, input, async ({ caller, path, query, now }) => {
  const id = requestIdIn(path.id);
  const request = id === undefined ? undefined : await downloads.request({ tokenId: caller.tokenId, id });
  if (request?.status !== 'COMPLETED') throw new Refusal(404, 'not-found', 'The requested resource was not found.');
  const page = { after: fileAfter(request, query.after), limit: MAX_RESULTS };
  const files = await downloads.files(request, now, page);
  const results = await Promise.all(files.map((file) => presentResult(links, request, file, now)));
  return ok(results, nextLink(request, results));
});

export const handler = httpRoutes({ 'GET /v3/results/{id}': list });

/** The files of a download, each with a link, until the files expire. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import { onlyParameters } from '#shared/http/query';
import { boundTable } from '#shared/table/table.dynamodb';
import { requestIdIn } from '../download/download-request.ts';
import { downloadStates } from '../download/download-store.dynamodb.ts';
import { MAX_FILES } from '../download/result-file.ts';
import { accountsTable, recordsTable } from '../environment.ts';
import { missingRequest, requestIdOf } from '../requests/tenant-request.ts';
import { fileOf, requestOfTenant } from '../requests/tenant-requests.dynamodb.ts';
import { linkToFile } from './file-link.ts';
import { fileAfter, MAX_RESULTS, nextLink, presentResult } from './present-result.ts';
import { resultLinks } from './result-links.s3.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...recordsTable, RESULTS_BUCKET: resource });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const surface = dataSurface(env.ACCOUNTS_TABLE);
const table = boundTable(env.RECORDS_TABLE);
const downloads = downloadStates(table);
const links = resultLinks(env.RESULTS_BUCKET);
const input = { path: z.object({ id: z.string() }), query: onlyParameters('after') };
const FilePath = ItemPath.extend({ number: z.coerce.number().int().min(1).max(MAX_FILES) });

const list = httpHandler(surface, input, async ({ caller, path, query, now }) => {
  const id = requestIdIn(path.id);
  const request = id === undefined ? undefined : await requestOfTenant(table, { tenant: caller.tenant, id });
  if (request?.status !== 'COMPLETED') throw new Refusal(404, 'not-found', 'The requested resource was not found.');
  const page = { after: fileAfter(request, query.after), limit: MAX_RESULTS };
  const files = await downloads.files(request, now, page);
  const results = await Promise.all(files.map((file) => presentResult(links, request, file, now)));
  return ok(results, nextLink(request, results));
});

const link = httpHandler(api, { path: FilePath }, async ({ caller, path: { id, number }, now }) => {
  const request = await requestOfTenant(table, { tenant: caller.tenant, id: requestIdOf(id) });
  if (!request) throw missingRequest();
  const file = await fileOf(table, request, number);
  return ok(await linkToFile(links, { request, number, file }, now));
});

export const handler = httpRoutes({
  'GET /v3/results/{id}': list,
  'POST /manage/v1/requests/{id}/files/{number}': link,
});

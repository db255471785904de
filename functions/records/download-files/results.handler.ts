/** The files of a download until they expire: links to them, and their records page by page. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { describedRoutes, httpHandler, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import type { AnswerOf } from '#shared/http/operation';
import { boundTable } from '#shared/table/table.dynamodb';
import { requestIdIn } from '../download/download-request.ts';
import { downloadStates } from '../download/download-store.dynamodb.ts';
import { accountsTable, recordsTable } from '../environment.ts';
import { fileOfTenant, requestOfTenant } from '../requests/tenant-requests.dynamodb.ts';
import { fetchableFile, linkToFile } from './file-link.ts';
import { recordsOfFile } from './file-records.ts';
import { fileAfter, MAX_RESULTS, nextLink, presentResult } from './present-result.ts';
import { resultBytes } from './result-bytes.s3.ts';
import { resultLinks } from './result-links.s3.ts';
import { resultOperations } from './results.operations.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...recordsTable, RESULTS_BUCKET: resource });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const surface = dataSurface(env.ACCOUNTS_TABLE);
const table = boundTable(env.RECORDS_TABLE);
const downloads = downloadStates(table);
const links = resultLinks(env.RESULTS_BUCKET);
const bytesOf = resultBytes(env.RESULTS_BUCKET);
const { listResults, createFileLink, listFileRecords } = resultOperations;

const list = httpHandler(surface, listResults, async (call): Promise<AnswerOf<typeof listResults>> => {
  const { caller, path, query, now } = call;
  const id = requestIdIn(path.id);
  const request = id === undefined ? undefined : await requestOfTenant(table, { tenant: caller.tenant, id });
  if (request?.status !== 'COMPLETED') throw new Refusal(404, 'not-found', 'The requested resource was not found.');
  const files = await downloads.files(request, now, { after: fileAfter(request, query.after), limit: MAX_RESULTS });
  const results = await Promise.all(files.map((file) => presentResult(links, request, file, now)));
  return ok(results, nextLink(request, results));
});

const link = httpHandler(
  api,
  createFileLink,
  async ({ caller, path, now }): Promise<AnswerOf<typeof createFileLink>> => {
    const requested = await fileOfTenant(table, { tenant: caller.tenant, ...path });
    return ok(await linkToFile(links, requested, now));
  },
);

const records = httpHandler(tenantApi, listFileRecords, async (call): Promise<AnswerOf<typeof listFileRecords>> => {
  const requested = await fileOfTenant(table, { tenant: call.caller.tenant, ...call.path });
  return ok(await recordsOfFile(bytesOf, fetchableFile(requested, call.now), call.query));
});

export const handler = describedRoutes(resultOperations, {
  listResults: list,
  createFileLink: link,
  listFileRecords: records,
});

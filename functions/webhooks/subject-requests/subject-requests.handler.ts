/** GET /manage/v1/subject-requests/{id}: the status of a data subject request, so that a caller can confirm it. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { webhooksTable } from '../environment.ts';
import { presentSubjectRequest, RECORD_ID_CHARACTERS_MAX } from './subject-request.ts';
import { subjectRequestById } from './subject-requests.dynamodb.ts';

export const Env = z.object(webhooksTable);
const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);

const Path = z.object({ id: z.string().max(RECORD_ID_CHARACTERS_MAX) });

const get = httpHandler(tenantApi, { path: Path }, async ({ caller, path }) => {
  const request = await subjectRequestById(table, { tenant: caller.tenant, id: path.id });
  if (!request) throw new Refusal(404, 'not-found', 'There is no such subject request.');
  return ok(presentSubjectRequest(request));
});

export const handler = httpRoutes({ 'GET /manage/v1/subject-requests/{id}': get });

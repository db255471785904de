/** GET /manage/v1/subject-requests/{id}: the status of a data subject request, so that a caller can confirm it. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { noSuch } from '#shared/errors';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { webhooksTable } from '../environment.ts';
import { presentSubjectRequest } from './subject-request.ts';
import { subjectRequestById } from './subject-requests.dynamodb.ts';
import { subjectRequestOperations } from './subject-requests.operations.ts';

export const Env = z.object(webhooksTable);
const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);

export const handler = apiRoutes(tenantApi, subjectRequestOperations, {
  getSubjectRequest: async ({ caller, path }) => {
    const request = await subjectRequestById(table, { tenant: caller.tenant, id: path.id });
    if (!request) noSuch('subject request');
    return ok(presentSubjectRequest(request));
  },
});

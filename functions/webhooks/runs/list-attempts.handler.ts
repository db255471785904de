/** GET /manage/v1/runs/{id}/attempts: every POST of a run, the newest first, with what the endpoint answered. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { attemptsPage } from './run-details.ts';
import { runLog } from './run-log.dynamodb.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const runs = runLog(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = {
  path: z.object({ id: z.string().max(100) }),
  query: z.object({ ...TenantQuery.shape, ...PageQuery.shape }),
};

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  const details = await runs.details({ tenant: tenantOf(caller, query), id: path.id });
  if (!details) throw new Refusal(404, 'not-found', 'There is no such run.');
  return ok(attemptsPage(details, query));
});

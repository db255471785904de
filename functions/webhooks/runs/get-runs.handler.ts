/** GET /manage/v1/runs and …/{id}: a tenant's delivery log, newest first, or all that is kept of one run. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { presentRun } from './run.ts';
import { presentRunDetails } from './run-details.ts';
import { runLog } from './run-log.dynamodb.ts';
import { filterFields, Status } from './run-log.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const table = boundTable(readEnv(Env).WEBHOOKS_TABLE);
const runs = runLog(table);
const configurations = configurationStore(table);
const input = {
  path: z.object({ id: z.string().max(100).optional() }),
  query: z
    .object({ ...TenantQuery.shape, ...PageQuery.shape })
    .extend(z.object({ ...filterFields, status: Status }).partial().shape),
};

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  const tenant = tenantOf(caller, query);
  if (path.id === undefined) {
    const { items, ...rest } = await runs.list(tenant, query, query);
    return ok({ items: items.map(presentRun), ...rest });
  }
  const details = await runs.details({ tenant, id: path.id });
  if (!details) throw new Refusal(404, 'not-found', 'There is no such run.');
  const configuration = await configurations.byId(tenant, details.run.configurationId);
  return ok(presentRunDetails(details, configuration));
});

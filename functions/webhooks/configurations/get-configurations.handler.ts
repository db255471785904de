/** GET /manage/v1/api-configurations and …/{id}: a tenant's configurations, newest first, or one of them. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { configurationById, presentConfiguration } from './manage-configurations.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const configurations = configurationStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = {
  path: z.object({ id: z.string().max(100).optional() }),
  query: z.object({ ...TenantQuery.shape, ...PageQuery.shape }),
};

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  const tenant = tenantOf(caller, query);
  if (path.id !== undefined) {
    return ok(presentConfiguration(await configurationById(configurations, tenant, path.id)));
  }
  const { items, ...rest } = await configurations.list(tenant, query);
  return ok({ items: items.map(presentConfiguration), ...rest });
});

/** DELETE /manage/v1/api-configurations/{id}: rules that name it make no more runs. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { deleteConfiguration } from './manage-configurations.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const configurations = configurationStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = { path: z.object({ id: z.string().max(100) }), query: TenantQuery };

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  await deleteConfiguration(configurations, tenantOf(caller, query), path.id);
  return { statusCode: 204 };
});

/** DELETE /manage/v1/rules/{id}: events fire it no more. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { deleteRule } from './manage-rules.ts';
import { ruleStore } from './rule-store.dynamodb.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const rules = ruleStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = { path: z.object({ id: z.string().max(100) }), query: TenantQuery };

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  await deleteRule(rules, tenantOf(caller, query), path.id);
  return { statusCode: 204 };
});

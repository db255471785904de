/** GET /manage/v1/rules and …/{id}: a tenant's rules, newest first, or one of them. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { presentRule, ruleById } from './manage-rules.ts';
import { ruleStore } from './rule-store.dynamodb.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const rules = ruleStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = {
  path: z.object({ id: z.string().max(100).optional() }),
  query: z.object({ ...TenantQuery.shape, ...PageQuery.shape }),
};

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  const tenant = tenantOf(caller, query);
  if (path.id !== undefined) return ok(presentRule(await ruleById(rules, tenant, path.id)));
  const { items, ...rest } = await rules.list(tenant, query);
  return ok({ items: items.map(presentRule), ...rest });
});

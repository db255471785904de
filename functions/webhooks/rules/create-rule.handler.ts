/** POST /manage/v1/rules: on this trigger of this module, send that body to that configuration. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { locationOf, managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { parseExactly } from './exact-json.ts';
import { createRule, presentRule } from './manage-rules.ts';
import { NewRule } from './rule-input.ts';
import { ruleStore } from './rule-store.dynamodb.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const rules = ruleStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = { query: TenantQuery, body: NewRule, parseBody: parseExactly };

export const handler = httpHandler(managementApi, input, async ({ caller, query, body, now }) => {
  const rule = await createRule(rules, body, { tenant: tenantOf(caller, query), id: newId('rule'), now });
  return json(201, presentRule(rule), { location: locationOf(`rules/${rule.id}`, query) });
});

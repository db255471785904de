/** PATCH /manage/v1/rules/{id}: changes the named fields of a rule. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { ruleStore } from './rule-store.dynamodb.ts';
import { parseExactly } from './rules/exact-json.ts';
import { changeRule, presentRule } from './rules/manage-rules.ts';
import { RuleChange } from './rules/rule-input.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const rules = ruleStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = {
  path: z.object({ id: z.string().max(100) }),
  query: TenantQuery,
  body: RuleChange,
  parseBody: parseExactly,
};

export const handler = httpHandler(managementApi, input, async ({ caller, path, query, body, now }) =>
  ok(presentRule(await changeRule(rules, body, { tenant: tenantOf(caller, query), id: path.id, now }))),
);

/** PUT and PATCH /manage/v1/rules/{id}: states a rule anew, or changes some fields. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { byMethod, httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { parseExactly } from './exact-json.ts';
import { changeRule, presentRule } from './manage-rules.ts';
import { NewRule, RuleChange } from './rule-input.ts';
import { ruleStore } from './rule-store.dynamodb.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const rules = ruleStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const path = z.object({ id: z.string().max(100) });

const save = (body: typeof NewRule | typeof RuleChange) =>
  httpHandler(managementApi, { path, query: TenantQuery, body, parseBody: parseExactly }, async (call) => {
    const key = { tenant: tenantOf(call.caller, call.query), id: call.path.id, now: call.now };
    return ok(presentRule(await changeRule(rules, call.body, key)));
  });

export const handler = byMethod({ PUT: save(NewRule), PATCH: save(RuleChange) });

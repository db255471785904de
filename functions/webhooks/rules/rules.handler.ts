/** Routes of rules: an event on a rule's trigger sends its body to its configuration. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { positiveInteger, readEnv } from '#shared/env';
import { parseExactly } from '#shared/formats/exact-json';
import { created, httpHandler, httpRoutes, noContent, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { webhooksTable } from '../environment.ts';
import { changeRule, createRule, deleteRule, presentRule, ruleById, ruleFaults } from './manage-rules.ts';
import { ModuleInput, NewRule, RuleChange } from './rule-input.ts';
import { ruleStore } from './rule-store.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...webhooksTable, RULES_PER_TENANT: positiveInteger });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const rules = ruleStore(boundTable(env.WEBHOOKS_TABLE), env.RULES_PER_TENANT);
const one = { path: ItemPath };
const RuleQuery = PageQuery.extend({
  configuration: z.string().min(1).max(100).optional(),
  module: ModuleInput.optional(),
});
const saving = { parseBody: parseExactly, more: ruleFaults(rules) };

const create = httpHandler(api, { ...saving, body: NewRule }, async ({ caller, body, now }) => {
  const rule = await createRule(rules, body, { tenant: caller.tenant, id: newId('rule'), now });
  return created(presentRule(rule), locationOf(`rules/${rule.id}`, caller));
});

const list = httpHandler(api, { query: RuleQuery }, async ({ caller, query }) =>
  okPage(await rules.list(caller.tenant, query, query), presentRule),
);

const get = httpHandler(api, one, async ({ caller, path }) =>
  ok(presentRule(await ruleById(rules, { tenant: caller.tenant, id: path.id }))),
);

const save = (body: typeof NewRule | typeof RuleChange) =>
  httpHandler(api, { ...one, ...saving, body }, async (call) => {
    const key = { tenant: call.caller.tenant, id: call.path.id, now: call.now };
    return ok(presentRule(await changeRule(rules, call.body, key)));
  });

const remove = httpHandler(api, one, async ({ caller, path }) => {
  await deleteRule(rules, { tenant: caller.tenant, id: path.id });
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/rules': create,
  'GET /manage/v1/rules': list,
  'GET /manage/v1/rules/{id}': get,
  'PUT /manage/v1/rules/{id}': save(NewRule),
  'PATCH /manage/v1/rules/{id}': save(RuleChange),
  'DELETE /manage/v1/rules/{id}': remove,
});

/** Routes of rules: an event on a rule's trigger sends its body to its configuration. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { positiveInteger, readEnv } from '#shared/env';
import { parseExactly } from '#shared/formats/exact-json';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, type TenantCall, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { webhooksTable } from '../environment.ts';
import { changeRule, createRule, deleteRule, presentRule, ruleById, ruleFaults } from './manage-rules.ts';
import type { RuleChange } from './rule-input.ts';
import { ruleStore } from './rule-store.dynamodb.ts';
import { ruleOperations } from './rules.operations.ts';

export const Env = z.object({ ...auditTable, ...webhooksTable, RULES_PER_TENANT: positiveInteger });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const rules = ruleStore(boundTable(env.WEBHOOKS_TABLE), env.RULES_PER_TENANT);
const saving = { parseBody: parseExactly, more: ruleFaults(rules) };

const save = {
  ...saving,
  answer: async ({ caller, path, body, now }: TenantCall<RuleChange>) =>
    ok(presentRule(await changeRule(rules, body, { tenant: caller.tenant, id: path.id, now }))),
};

export const handler = apiRoutes(api, ruleOperations, {
  createRule: {
    ...saving,
    answer: async ({ caller, body, now }) => {
      const rule = await createRule(rules, body, { tenant: caller.tenant, id: newId('rule'), now });
      return created(presentRule(rule), locationOf(`rules/${rule.id}`, caller));
    },
  },
  listRules: async ({ caller, query }) => okPage(await rules.list(caller.tenant, query, query), presentRule),
  getRule: async ({ caller, path }) => ok(presentRule(await ruleById(rules, { tenant: caller.tenant, id: path.id }))),
  replaceRule: save,
  changeRule: save,
  deleteRule: async ({ caller, path }) => {
    await deleteRule(rules, { tenant: caller.tenant, id: path.id });
    return noContent();
  },
});

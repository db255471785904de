/** Rules: on this trigger of this module, send that body to that configuration. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, ok, okPage } from '#shared/http/http-handler';
import {
  ItemPath,
  locationOf,
  managementApi,
  TenantListQuery,
  TenantQuery,
  tenantOf,
} from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { webhooksTable } from '../environment.ts';
import { parseExactly } from './exact-json.ts';
import { changeRule, createRule, deleteRule, presentRule, ruleById } from './manage-rules.ts';
import { NewRule, RuleChange } from './rule-input.ts';
import { ruleStore } from './rule-store.dynamodb.ts';

export const Env = z.object(webhooksTable);
const rules = ruleStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const one = { path: ItemPath, query: TenantQuery };
const creating = { query: TenantQuery, body: NewRule, parseBody: parseExactly };

const create = httpHandler(managementApi, creating, async ({ caller, query, body, now }) => {
  const rule = await createRule(rules, body, { tenant: tenantOf(caller, query), id: newId('rule'), now });
  return json(201, presentRule(rule), { location: locationOf(`rules/${rule.id}`, query) });
});

const list = httpHandler(managementApi, { query: TenantListQuery }, async ({ caller, query }) =>
  okPage(await rules.list(tenantOf(caller, query), query), presentRule),
);

const get = httpHandler(managementApi, one, async ({ caller, path, query }) =>
  ok(presentRule(await ruleById(rules, tenantOf(caller, query), path.id))),
);

const save = (body: typeof NewRule | typeof RuleChange) =>
  httpHandler(managementApi, { ...one, body, parseBody: parseExactly }, async (call) => {
    const key = { tenant: tenantOf(call.caller, call.query), id: call.path.id, now: call.now };
    return ok(presentRule(await changeRule(rules, call.body, key)));
  });

const remove = httpHandler(managementApi, one, async ({ caller, path, query }) => {
  await deleteRule(rules, tenantOf(caller, query), path.id);
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

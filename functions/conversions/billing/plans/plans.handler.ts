/** Routes of a tenant's plan, its spend cap, and the payment events that the payment provider reports. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator, requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { apiRoutes, json, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, conversionsTable } from '../../environment.ts';
import { presentCap, presentChange, presentPlanAnd } from './manage-plan.ts';
import { applyPaymentEvent, setPlan, setSpendCap } from './plan-store.dynamodb.ts';
import { planOperations } from './plans.operations.ts';
import { provisionedAccount } from './provisioned-account.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...conversionsTable });
const env = readEnv(Env);
const api = audited(managementApi, env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), conversions: boundTable(env.CONVERSIONS_TABLE) };
const table = tables.conversions;

export const handler = apiRoutes(api, planOperations, {
  getPlan: async ({ caller, path, query, now }) => {
    requireTenant(caller, path.id);
    return ok(presentPlanAnd(query, await provisionedAccount(tables, path.id, now), now));
  },
  changePlan: async ({ caller, path, body, now }) => {
    requireTenant(caller, path.id);
    await provisionedAccount(tables, path.id, now);
    return ok(presentChange(await setPlan(table, path.id, { ...body, accounts: tables.accounts }, now)));
  },
  setSpendCap: async ({ caller, path, body, now }) => {
    requireTenant(caller, path.id);
    await provisionedAccount(tables, path.id, now);
    const { subscription } = await setSpendCap(table, path.id, body.capMicros, now);
    return ok(presentCap(subscription.capMicros));
  },
  recordPaymentEvent: async ({ caller, path, body, now }) => {
    requireOperator(caller);
    await provisionedAccount(tables, path.id, now);
    const { time, ...event } = body;
    await applyPaymentEvent(table, path.id, { ...event, at: time === undefined ? now : Date.parse(time) }, now);
    return json(202, { id: event.id });
  },
});

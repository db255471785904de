/** Routes of a tenant's plan, its spend cap, and the payment events that the payment provider reports. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator, requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, ok } from '#shared/http/http-handler';
import { ItemPath, managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, conversionsTable } from '../../environment.ts';
import {
  PlanQuery,
  presentCap,
  presentChange,
  presentPlanAnd,
  StatedCap,
  StatedPayment,
  StatedPlan,
} from './manage-plan.ts';
import { applyPaymentEvent, setPlan, setSpendCap } from './plan-store.dynamodb.ts';
import { provisionedAccount } from './provisioned-account.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...conversionsTable });
const env = readEnv(Env);
const api = audited(managementApi, env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), conversions: boundTable(env.CONVERSIONS_TABLE) };
const table = tables.conversions;

const get = httpHandler(api, { path: ItemPath, query: PlanQuery }, async ({ caller, path, query, now }) => {
  requireTenant(caller, path.id);
  return ok(presentPlanAnd(query, await provisionedAccount(tables, path.id, now), now));
});

const put = httpHandler(api, { path: ItemPath, body: StatedPlan }, async ({ caller, path, body, now }) => {
  requireTenant(caller, path.id);
  await provisionedAccount(tables, path.id, now);
  return ok(presentChange(await setPlan(table, path.id, { ...body, accounts: tables.accounts }, now)));
});

const cap = httpHandler(api, { path: ItemPath, body: StatedCap }, async ({ caller, path, body, now }) => {
  requireTenant(caller, path.id);
  await provisionedAccount(tables, path.id, now);
  const { subscription } = await setSpendCap(table, path.id, body.capMicros, now);
  return ok(presentCap(subscription.capMicros));
});

const pay = httpHandler(api, { path: ItemPath, body: StatedPayment }, async ({ caller, path, body, now }) => {
  requireOperator(caller);
  await provisionedAccount(tables, path.id, now);
  const { time, ...event } = body;
  await applyPaymentEvent(table, path.id, { ...event, at: time === undefined ? now : Date.parse(time) }, now);
  return json(202, { id: event.id });
});

export const handler = httpRoutes({
  'GET /manage/v1/accounts/{id}/plan': get,
  'PUT /manage/v1/accounts/{id}/plan': put,
  'PUT /manage/v1/accounts/{id}/spend-cap': cap,
  'POST /manage/v1/accounts/{id}/payment-events': pay,
});

/** POST /manage/v1/events: makes a run for every rule that an event fires. */
import * as z from 'zod';
import { positiveInteger, readEnv } from '#shared/env';
import { parseExactly } from '#shared/formats/exact-json';
import { httpHandler, httpRoutes, json } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { dailyQuota } from '#shared/quotas/quotas.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { requireApiIntegration } from '../pauses/pause.ts';
import { eventFaults, eventInput, refuseForgery } from './event.ts';
import { receiveEvent } from './receive-event.ts';
import { triggering } from './triggering.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...webhooksTable, ...retention, EVENTS_PER_DAY: positiveInteger });
const env = readEnv(Env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), webhooks: boundTable(env.WEBHOOKS_TABLE) };
const deps = triggering(tables, { retentionDays: env.RETENTION_DAYS, now: () => Date.now() });
const takeFromQuota = dailyQuota(tables.webhooks, 'events', env.EVENTS_PER_DAY);
const input = { body: eventInput(() => Date.now()), parseBody: parseExactly, more: eventFaults };

const announce = httpHandler(tenantApi, input, async ({ caller: { tenant }, body: event, now }) => {
  refuseForgery(event);
  const status = await deps.statusOf(tenant, now);
  requireApiIntegration(status);
  await takeFromQuota(tenant, now);
  return json(202, { runIds: await receiveEvent(deps, { tenant, event, status }) });
});

export const handler = httpRoutes({ 'POST /manage/v1/events': announce });

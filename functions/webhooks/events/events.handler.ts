/** POST /manage/v1/events: makes a run for every rule that an event fires. */
import * as z from 'zod';
import { positiveInteger, readEnv } from '#shared/env';
import { parseExactly } from '#shared/formats/exact-json';
import { apiRoutes, json } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { dailyQuota } from '#shared/quotas/quotas.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { requireApiIntegration } from '../pauses/pause.ts';
import { eventFaults, eventIn, refuseForgery } from './event.ts';
import { eventOperations } from './events.operations.ts';
import { receiveEvent } from './receive-event.ts';
import { triggering } from './triggering.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...webhooksTable, ...retention, EVENTS_PER_DAY: positiveInteger });
const env = readEnv(Env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), webhooks: boundTable(env.WEBHOOKS_TABLE) };
const deps = triggering(tables, { retentionDays: env.RETENTION_DAYS, now: () => Date.now() });
const takeFromQuota = dailyQuota(tables.webhooks, 'events', env.EVENTS_PER_DAY);

export const handler = apiRoutes(tenantApi, eventOperations, {
  sendEvent: {
    parseBody: parseExactly,
    more: eventFaults,
    answer: async ({ caller: { tenant }, body, now }) => {
      const event = eventIn(body, now);
      refuseForgery(event);
      const status = await deps.statusOf(tenant, now);
      requireApiIntegration(status);
      await takeFromQuota(tenant, now);
      return json(202, { runIds: await receiveEvent(deps, { tenant, event, status }) });
    },
  },
});

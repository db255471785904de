/** Queue worker for `webhook.trigger` events on the bus: makes a run for every rule that an event fires. */
import * as z from 'zod';
import { TenantId } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { parseExactly } from '#shared/formats/exact-json';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { eventIn, NewEvent, refuseForgery } from './event.ts';
import { receiveEvent } from './receive-event.ts';
import { triggering } from './triggering.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...webhooksTable, ...retention });
const env = readEnv(Env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), webhooks: boundTable(env.WEBHOOKS_TABLE) };
const deps = triggering(tables, { retentionDays: env.RETENTION_DAYS, now: () => Date.now() });

/** The source of an event on the bus, and its detail: the tenant and the body of `POST events`. */
const Announcement = z
  .object({ source: z.string(), detail: z.object({ tenant: TenantId }).loose() })
  .transform(({ source, detail: { tenant, ...event } }) => ({ source, tenant, event }));

export const handler = queueHandler(
  Announcement,
  async ({ message: { source, tenant, event: input } }) => {
    const event = eventIn(NewEvent.parse(input), deps.now());
    refuseForgery(event, source);
    const runs = await receiveEvent(deps, { tenant, event, status: await deps.statusOf(tenant, deps.now()) });
    log.info('event', { event: event.id, runs: runs.length });
  },
  { parseBody: parseExactly },
);

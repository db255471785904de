/** SQS, from the event bus: `webhook.trigger` announces what happened in a module of a tenant. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { TenantId } from '#shared/http/management-api';
import { log } from '#shared/log';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { parseExactly } from '../rules/exact-json.ts';
import { matchingRules } from '../rules/matching-rules.dynamodb.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import { statedEvent } from './event.ts';
import { triggerRuns } from './trigger-runs.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1), RETENTION_DAYS: z.coerce.number().int().positive() });
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);
const deps = {
  rules: matchingRules(table),
  configurations: configurationStore(table),
  runs: runStore({ table, retentionDays: env.RETENTION_DAYS }),
  now: () => Date.now(),
};

const Tenant = z.object({ tenant: TenantId });
/** What the bus hands over. The tenant stands beside what `POST events` takes. */
const Announcement = z
  .object({ detail: Tenant.loose() })
  .transform(({ detail: { tenant, ...event } }) => ({ tenant, event }));
const Event = statedEvent(() => new Date());

export const handler = queueHandler(
  Announcement,
  async ({ message: { tenant, event } }) => {
    const runs = await triggerRuns(deps, tenant, Event.parse(event));
    log.info('event', { tenant, event: event['id'], runs: runs.length });
  },
  { parseBody: parseExactly },
);

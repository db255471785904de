/** POST /manage/v1/events: something happened in a module; a run is made for every rule that it fires. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
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
const input = { query: TenantQuery, body: statedEvent(() => new Date()), parseBody: parseExactly };

export const handler = httpHandler(managementApi, input, async ({ caller, query, body }) =>
  json(202, { runIds: await triggerRuns(deps, tenantOf(caller, query), body) }),
);

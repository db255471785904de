/** POST /manage/v1/runs/{id}/replay: a failed run is delivered anew, as a run of its own. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { locationOf, managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { replayRun } from './replay-run.ts';
import { presentRun } from './run.ts';
import { runStore } from './run-store.dynamodb.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1), RETENTION_DAYS: z.coerce.number().int().positive() });
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);
const deps = {
  runs: runStore({ table, retentionDays: env.RETENTION_DAYS }),
  configurations: configurationStore(table),
};
const input = { path: z.object({ id: z.string().max(100) }), query: TenantQuery };

export const handler = httpHandler(managementApi, input, async ({ caller, path, query, now }) => {
  const key = { tenant: tenantOf(caller, query), id: path.id };
  const run = await replayRun(deps, key, { id: newId('run'), now: now.getTime() });
  return json(201, presentRun(run), { location: locationOf(`runs/${run.id}`, query) });
});

/** Routes of the delivery log: a tenant's runs, one run with its attempts, and the replay of a run. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import { readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { requireApiIntegration } from '../pauses/pause.ts';
import { replayRun } from './replay-run.ts';
import { presentRun } from './run.ts';
import { attemptsPage, presentRunDetails, runDetails } from './run-details.ts';
import { runLog } from './run-log.dynamodb.ts';
import { LogQuery } from './run-log.ts';
import { runStore } from './run-store.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...auditTable, ...webhooksTable, ...retention });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.WEBHOOKS_TABLE);
const statusOf = currentStatus(boundTable(env.ACCOUNTS_TABLE));
const log = runLog(table);
const configurations = configurationStore(table);
const replaying = { runs: runStore({ table, retentionDays: env.RETENTION_DAYS }), configurations };

const list = httpHandler(api, { query: LogQuery }, async ({ caller, query }) =>
  okPage(await log.list(caller.tenant, query, query), presentRun),
);

const get = httpHandler(api, { path: ItemPath }, async ({ caller, path }) => {
  const { tenant } = caller;
  const details = await runDetails(log, { tenant, id: path.id });
  return ok(presentRunDetails(details, await configurations.byId({ tenant, id: details.run.configurationId })));
});

const attempts = httpHandler(api, { path: ItemPath, query: PageQuery }, async (call) =>
  ok(attemptsPage(await runDetails(log, { tenant: call.caller.tenant, id: call.path.id }), call.query)),
);

const replay = httpHandler(api, { path: ItemPath }, async (call) => {
  const key = { tenant: call.caller.tenant, id: call.path.id };
  requireApiIntegration(await statusOf(key.tenant, call.now));
  const run = await replayRun(replaying, key, { id: newId('run'), now: call.now });
  return created(presentRun(run), locationOf(`runs/${run.id}`, call.caller));
});

export const handler = httpRoutes({
  'GET /manage/v1/runs': list,
  'GET /manage/v1/runs/{id}': get,
  'GET /manage/v1/runs/{id}/attempts': attempts,
  'POST /manage/v1/runs/{id}/replay': replay,
});

/** Routes of the delivery log: a tenant's runs, one run with its attempts, and the replay of a run. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, ok, okPage } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { requireApiIntegration } from '../pauses/pause.ts';
import { replayRun } from './replay-run.ts';
import { retryNow } from './retry-now.ts';
import { presentRun } from './run.ts';
import { countedInterval, runCounts } from './run-counts.ts';
import { attemptsPage, presentRunDetails, runDetails } from './run-details.ts';
import { runLog } from './run-log.dynamodb.ts';
import { runStore } from './run-store.dynamodb.ts';
import { runOperations } from './runs.operations.ts';

export const Env = z.object({ ...accountsTable, ...auditTable, ...webhooksTable, ...retention });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.WEBHOOKS_TABLE);
const statusOf = currentStatus(boundTable(env.ACCOUNTS_TABLE));
const log = runLog(table);
const configurations = configurationStore(table);
const replaying = { runs: runStore({ table, retentionDays: env.RETENTION_DAYS }), configurations };

export const handler = apiRoutes(api, runOperations, {
  listRuns: async ({ caller, query }) => okPage(await log.list(caller.tenant, query, query), presentRun),
  countRuns: async ({ caller, query, now }) => {
    const interval = countedInterval(query, now);
    return ok(runCounts(await log.outcomes(caller.tenant, { ...query, ...interval }), interval));
  },
  getRun: async ({ caller: { tenant }, path }) => {
    const details = await runDetails(log, { tenant, id: path.id });
    return ok(presentRunDetails(details, await configurations.byId({ tenant, id: details.run.configurationId })));
  },
  listAttempts: async ({ caller, path, query }) =>
    ok(attemptsPage(await runDetails(log, { tenant: caller.tenant, id: path.id }), query)),
  replayRun: async ({ caller, path, query, now }) => {
    const key = { tenant: caller.tenant, id: path.id };
    requireApiIntegration(await statusOf(key.tenant, now));
    const run = await replayRun(replaying, key, {
      id: newId('run'),
      now,
      unlessReplaying: query.unlessReplaying === 'true',
    });
    return created(presentRun(run), locationOf(`runs/${run.id}`, caller));
  },
  retryRun: async ({ caller: { tenant }, path, now }) => {
    requireApiIntegration(await statusOf(tenant, now));
    return ok(presentRun(await retryNow(replaying.runs, { tenant, id: path.id }, now)));
  },
});

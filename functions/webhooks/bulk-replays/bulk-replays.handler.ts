/** Routes of bulk replays: they start, show and cancel the replay of every failed run that a filter matches. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, json, ok, okPage } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { requireApiIntegration } from '../pauses/pause.ts';
import { presentBulkReplay } from './bulk-replay.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { bulkReplayOperations } from './bulk-replays.operations.ts';
import { bulkReplayById, cancelBulkReplay, startBulkReplay } from './manage-bulk-replays.ts';
import { replayPages } from './replay-pages.sqs.ts';

export const Env = z.object({
  ...accountsTable,
  ...auditTable,
  ...webhooksTable,
  ...retention,
  REPLAYS_QUEUE: resource,
});
const env = readEnv(Env);
const api = audited(tenantApi, env);
const statusOf = currentStatus(boundTable(env.ACCOUNTS_TABLE));
const replays = bulkReplayStore(boundTable(env.WEBHOOKS_TABLE));
const starting = { replays, retentionDays: env.RETENTION_DAYS, send: replayPages(env.REPLAYS_QUEUE).send };

export const handler = apiRoutes(api, bulkReplayOperations, {
  startBulkReplay: async ({ caller, body, now }) => {
    const key = { tenant: caller.tenant, id: newId('rpl'), now };
    requireApiIntegration(await statusOf(key.tenant, now));
    const replay = await startBulkReplay(starting, body, key);
    return json(202, presentBulkReplay(replay), { location: locationOf(`replays/${replay.id}`, caller) });
  },
  listBulkReplays: async ({ caller, query }) => okPage(await replays.list(caller.tenant, query), presentBulkReplay),
  getBulkReplay: async ({ caller, path }) =>
    ok(presentBulkReplay(await bulkReplayById(replays, { tenant: caller.tenant, id: path.id }))),
  cancelBulkReplay: async ({ caller, path, now }) => {
    const key = { tenant: caller.tenant, id: path.id };
    return ok(presentBulkReplay(await cancelBulkReplay(replays, key, now)));
  },
});

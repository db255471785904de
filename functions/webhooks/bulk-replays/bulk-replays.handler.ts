/** Bulk replays: every failed run that a filter finds is delivered anew; started, looked at, cancelled. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { httpHandler, httpRoutes, json, ok, okPage } from '#shared/http/http-handler';
import {
  ItemPath,
  locationOf,
  managementApi,
  TenantListQuery,
  TenantQuery,
  tenantOf,
} from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { retention, webhooksTable } from '../environment.ts';
import { BulkReplayFilter, presentBulkReplay } from './bulk-replay.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { bulkReplayById, cancelBulkReplay, startBulkReplay } from './manage-bulk-replays.ts';
import { replayPages } from './replay-pages.sqs.ts';

export const Env = z.object({ ...webhooksTable, ...retention, REPLAYS_QUEUE: resource });
const env = readEnv(Env);
const replays = bulkReplayStore(boundTable(env.WEBHOOKS_TABLE));
const starting = { replays, retentionDays: env.RETENTION_DAYS, send: replayPages(env.REPLAYS_QUEUE).send };
const one = { path: ItemPath, query: TenantQuery };

const start = httpHandler(managementApi, { query: TenantQuery, body: BulkReplayFilter }, async (call) => {
  const key = { tenant: tenantOf(call.caller, call.query), id: newId('rpl'), now: call.now.getTime() };
  const replay = await startBulkReplay(starting, call.body, key);
  return json(202, presentBulkReplay(replay), { location: locationOf(`replays/${replay.id}`, call.query) });
});

const list = httpHandler(managementApi, { query: TenantListQuery }, async ({ caller, query }) =>
  okPage(await replays.list(tenantOf(caller, query), query), presentBulkReplay),
);

const get = httpHandler(managementApi, one, async ({ caller, path, query }) =>
  ok(presentBulkReplay(await bulkReplayById(replays, { tenant: tenantOf(caller, query), id: path.id }))),
);

const cancel = httpHandler(managementApi, one, async ({ caller, path, query, now }) => {
  const key = { tenant: tenantOf(caller, query), id: path.id };
  return ok(presentBulkReplay(await cancelBulkReplay(replays, key, now.getTime())));
});

export const handler = httpRoutes({
  'POST /manage/v1/replays': start,
  'GET /manage/v1/replays': list,
  'GET /manage/v1/replays/{id}': get,
  'DELETE /manage/v1/replays/{id}': cancel,
});

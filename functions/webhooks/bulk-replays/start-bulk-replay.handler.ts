/** POST /manage/v1/replays: every failed run that a filter finds is delivered anew, as a run of its own. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { locationOf, managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { BulkReplayFilter, presentBulkReplay } from './bulk-replay.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { startBulkReplay } from './manage-bulk-replays.ts';
import { replayPages } from './replay-pages.sqs.ts';

const Env = z.object({
  WEBHOOKS_TABLE: z.string().min(1),
  REPLAYS_QUEUE: z.string().min(1),
  RETENTION_DAYS: z.coerce.number().int().positive(),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const deps = {
  replays: bulkReplayStore(boundTable(env.WEBHOOKS_TABLE)),
  retentionDays: env.RETENTION_DAYS,
  send: replayPages(env.REPLAYS_QUEUE).send,
};
const input = { query: TenantQuery, body: BulkReplayFilter };

export const handler = httpHandler(managementApi, input, async ({ caller, query, body, now }) => {
  const key = { tenant: tenantOf(caller, query), id: newId('rpl') };
  const replay = await startBulkReplay(deps, body, { ...key, now: now.getTime() });
  return json(202, presentBulkReplay(replay), { location: locationOf(`replays/${replay.id}`, query) });
});

/** DELETE /manage/v1/replays/{id}: a bulk replay makes no more replays; those that it made go on. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { presentBulkReplay } from './bulk-replay.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { cancelBulkReplay } from './manage-bulk-replays.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const replays = bulkReplayStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = { path: z.object({ id: z.string().max(100) }), query: TenantQuery };

export const handler = httpHandler(managementApi, input, async ({ caller, path, query, now }) => {
  const key = { tenant: tenantOf(caller, query), id: path.id };
  return ok(presentBulkReplay(await cancelBulkReplay(replays, key, now.getTime())));
});

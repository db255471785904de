/** GET /manage/v1/replays and …/{id}: a tenant's bulk replays, newest first, or how far one of them is. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table.dynamodb';
import { presentBulkReplay } from './bulk-replay.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { bulkReplayById } from './manage-bulk-replays.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const replays = bulkReplayStore(boundTable(readEnv(Env).WEBHOOKS_TABLE));
const input = {
  path: z.object({ id: z.string().max(100).optional() }),
  query: z.object({ ...TenantQuery.shape, ...PageQuery.shape }),
};

export const handler = httpHandler(managementApi, input, async ({ caller, path, query }) => {
  const tenant = tenantOf(caller, query);
  if (path.id !== undefined) return ok(presentBulkReplay(await bulkReplayById(replays, { tenant, id: path.id })));
  const { items, ...rest } = await replays.list(tenant, query);
  return ok({ items: items.map(presentBulkReplay), ...rest });
});

/** Every minute: has workers look at bulk replays of which nothing was heard. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { wakeBulkReplays } from './bulk-replays/wake-bulk-replays.ts';
import { replayPages } from './replay-pages.sqs.ts';

const Env = z.object({ WEBHOOKS_TABLE: z.string().min(1), REPLAYS_QUEUE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const deps = {
  replays: bulkReplayStore(boundTable(env.WEBHOOKS_TABLE)),
  send: replayPages(env.REPLAYS_QUEUE).send,
};

export const handler = invocation(async (): Promise<void> => {
  const woken = await wakeBulkReplays(deps, Date.now());
  if (woken > 0) log.warn('silent bulk replays woken', { woken });
});

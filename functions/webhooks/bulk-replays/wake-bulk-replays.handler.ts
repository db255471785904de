/** Scheduled every minute: wakes bulk replays that have stalled. */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { accountsTable, webhooksTable } from '../environment.ts';
import { pausesIn } from '../pauses/pause.dynamodb.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { replayPages } from './replay-pages.sqs.ts';
import { wakeBulkReplays } from './wake-bulk-replays.ts';

export const Env = z.object({ ...accountsTable, ...webhooksTable, REPLAYS_QUEUE: resource });
const env = readEnv(Env);
const deps = {
  replays: bulkReplayStore(boundTable(env.WEBHOOKS_TABLE)),
  deliveringFrom: pausesIn(env.ACCOUNTS_TABLE, () => Date.now()),
  send: replayPages(env.REPLAYS_QUEUE).send,
};

export const handler = scheduled(async () => {
  const woken = await wakeBulkReplays(deps, Date.now());
  if (woken > 0) log.warn('silent bulk replays woken', { woken });
});

/** Queue worker: does the page of a bulk replay that a message names, unless it is done, and queues the next one. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { accountsTable, retention, webhooksTable } from '../environment.ts';
import { pausesIn } from '../pauses/pause.dynamodb.ts';
import { runLog } from '../runs/run-log.dynamodb.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import { countingReplay } from './bulk-replay-items.dynamodb.ts';
import { bulkReplayStore } from './bulk-replay-store.dynamodb.ts';
import { type PageDeps, replayPage } from './replay-page.ts';
import { PageMessage, replayPages } from './replay-pages.sqs.ts';

const pace = { REPLAYS_PER_SECOND: z.coerce.number().positive() };
export const Env = z.object({ ...accountsTable, ...webhooksTable, ...retention, ...pace, REPLAYS_QUEUE: resource });
const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);
const deps: PageDeps = {
  replays: bulkReplayStore(table),
  log: runLog(table),
  runs: runStore({ table, retentionDays: env.RETENTION_DAYS, countingReplay: countingReplay(table) }),
  configurations: configurationStore(table),
  send: replayPages(env.REPLAYS_QUEUE).send,
  deliveringFrom: pausesIn(env.ACCOUNTS_TABLE, () => Date.now()),
  now: () => Date.now(),
  perSecond: env.REPLAYS_PER_SECOND,
  pageRuns: 20,
};

export const handler = queueHandler(PageMessage, async ({ message }) => {
  const replay = await replayPage(deps, message);
  const { status = 'not done', replayed, skipped } = replay ?? {};
  log.info('replay page', { ...message, status, replayed, skipped });
});

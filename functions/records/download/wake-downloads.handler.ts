/** Every minute: wakes downloads that have fallen silent. */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { sendMessage } from '#shared/queue/message-lease.sqs';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { recordsTable } from '../environment.ts';
import { downloadStates } from './download-store.dynamodb.ts';
import { wakeDownloads } from './wake-downloads.ts';

export const Env = z.object({ ...recordsTable, DOWNLOADS_QUEUE: resource });
const env = readEnv(Env);
const deps = {
  downloads: downloadStates(boundTable(env.RECORDS_TABLE)),
  send: (work: { tenant: string }) => sendMessage(env.DOWNLOADS_QUEUE, work, { group: work.tenant }),
};

export const handler = scheduled(async () => {
  const woken = await wakeDownloads(deps, Date.now());
  if (woken > 0) log.warn('silent downloads woken', { woken });
});

/** Every minute: has workers look at downloads of which nothing was heard. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { sendMessage } from '#shared/queue/message-lease.sqs';
import { boundTable } from '#shared/table.dynamodb';
import { wakeDownloads } from './download/wake-downloads.ts';
import { downloadStates } from './download-states.dynamodb.ts';

const Env = z.object({
  DOWNLOADS_TABLE: z.string().min(1),
  DOWNLOADS_QUEUE: z.string().min(1),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const deps = {
  downloads: downloadStates(boundTable(env.DOWNLOADS_TABLE)),
  send: (work: { tenant: string }) => sendMessage(env.DOWNLOADS_QUEUE, work, { group: work.tenant }),
};

export const handler = invocation(async (): Promise<void> => {
  const woken = await wakeDownloads(deps, new Date());
  if (woken > 0) log.warn('silent downloads woken', { woken });
});

/** Every minute: wakes imports that have fallen silent. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { sendMessage } from '#shared/queue/message-lease.sqs';
import { boundTable } from '#shared/table.dynamodb';
import { recordsTable } from '../environment.ts';
import { importStore } from './import-store.dynamodb.ts';
import { announcementOf } from './object-created.ts';
import { wakeImports } from './wake-imports.ts';

export const Env = z.object({ ...recordsTable, IMPORTS_QUEUE: resource });
const env = readEnv(Env);
const deps = {
  jobs: importStore(boundTable(env.RECORDS_TABLE)),
  send: (object: Parameters<typeof announcementOf>[0]) => sendMessage(env.IMPORTS_QUEUE, announcementOf(object)),
};

export const handler = invocation(async (): Promise<void> => {
  const woken = await wakeImports(deps, Date.now());
  if (woken > 0) log.warn('silent imports woken', { woken });
});

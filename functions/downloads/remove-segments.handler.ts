/** Daily: removes the objects of the index that nobody can read any more. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { indexObjects } from './index-objects.s3.ts';
import { indexStore } from './index-store.dynamodb.ts';
import { removeUnusedObjects } from './index-sweep.ts';

const Env = z.object({
  DOWNLOADS_TABLE: z.string().min(1),
  INDEX_BUCKET: z.string().min(1),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const deps = { index: indexStore(boundTable(env.DOWNLOADS_TABLE)), ...indexObjects(env.INDEX_BUCKET) };

export const handler = invocation(async (): Promise<void> => {
  log.info('unused index objects removed', { objects: await removeUnusedObjects(deps, new Date()) });
});

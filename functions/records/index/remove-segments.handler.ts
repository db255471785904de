/** Daily: removes the objects of the index that can no longer be read. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { indexBucket, recordsTable } from '../environment.ts';
import { indexObjects } from './index-objects.s3.ts';
import { manifestStore } from './manifests.dynamodb.ts';
import { removeUnusedObjects } from './unused-objects.ts';

export const Env = z.object({ ...recordsTable, ...indexBucket });
const env = readEnv(Env);
const deps = { index: manifestStore(boundTable(env.RECORDS_TABLE)), ...indexObjects(env.INDEX_BUCKET) };

export const handler = scheduled(async () => {
  log.info('unused index objects removed', { objects: await removeUnusedObjects(deps, Date.now()) });
});

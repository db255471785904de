/** Every minute: wakes imports that have fallen silent. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { importStore } from '#shared/import/import-store.dynamodb';
import { wakingHandler } from '#shared/import/import-worker.sqs';
import { boundTable } from '#shared/table/table.dynamodb';
import { recordsTable } from '../environment.ts';

export const Env = z.object({ ...recordsTable, IMPORTS_QUEUE: resource });
const env = readEnv(Env);

export const handler = wakingHandler({
  queueUrl: env.IMPORTS_QUEUE,
  jobs: importStore(boundTable(env.RECORDS_TABLE)),
  now: () => Date.now(),
});

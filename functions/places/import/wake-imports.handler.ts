/** Runs every minute: wakes imports that stopped reporting progress. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { importStore } from '#shared/import/import-store.dynamodb';
import { wakingHandler } from '#shared/import/import-worker.sqs';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';

export const Env = z.object({ ...placesTable, IMPORTS_QUEUE: resource });
const env = readEnv(Env);

export const handler = wakingHandler({
  queueUrl: env.IMPORTS_QUEUE,
  jobs: importStore(boundTable(env.PLACES_TABLE)),
  now: () => Date.now(),
});

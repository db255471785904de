/** SQS worker: imports an object that was put into the bucket of place imports, as far as the time allows. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { importFiles } from '#shared/import/import-files.s3';
import { importStore } from '#shared/import/import-store.dynamodb';
import { importHandler } from '#shared/import/import-worker.sqs';
import { boundTable } from '#shared/table.dynamodb';
import { placeWrites } from '../catalog/place-store.dynamodb.ts';
import { placesTable } from '../environment.ts';
import { importedPlaces, PART_LIMITS, typeOf } from './place-part.ts';

export const Env = z.object({ ...placesTable, IMPORTS_BUCKET: resource, IMPORTS_QUEUE: resource });
const env = readEnv(Env);
const table = boundTable(env.PLACES_TABLE);
const jobs = importStore(table);

export const handler = importHandler({
  queueUrl: env.IMPORTS_QUEUE,
  typeOf,
  deps: {
    jobs,
    files: importFiles(env.IMPORTS_BUCKET),
    kind: importedPlaces({ writes: placeWrites(table), jobs, limits: PART_LIMITS }),
    now: () => Date.now(),
  },
});

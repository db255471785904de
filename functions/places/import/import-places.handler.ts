/** SQS worker: imports an object of the bucket of place imports, as far as the time permits. */
import * as z from 'zod';
import { positiveInteger, readEnv, resource } from '#shared/env';
import { importFiles } from '#shared/import/import-files.s3';
import { importStore } from '#shared/import/import-store.dynamodb';
import { importHandler } from '#shared/import/import-worker.sqs';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { placeWrites } from '../catalog/place-store.dynamodb.ts';
import { placesTable } from '../environment.ts';
import { importedPlaces, PART_LIMITS, tenantOf, typeOf } from './place-part.ts';

export const Env = z.object({
  ...placesTable,
  IMPORTS_BUCKET: resource,
  IMPORTS_QUEUE: resource,
  IMPORTS_PER_DAY: positiveInteger,
});
const env = readEnv(Env);
/**
 * All places of a tenant share one partition of the index `Listing`, which accepts about 1,000 writes a second. The
 * client slows down accordingly, so that a few throttled writes do not fail a part.
 */
const client = dynamoDbClient({ retryMode: 'adaptive', maxAttempts: 8 });
const table = { name: env.PLACES_TABLE, client };
const jobs = importStore(table, { ownerOf: tenantOf, perDay: env.IMPORTS_PER_DAY });

export const handler = importHandler({
  queueUrl: env.IMPORTS_QUEUE,
  typeOf,
  tenantOf,
  deps: {
    jobs,
    files: importFiles(env.IMPORTS_BUCKET),
    kind: importedPlaces({ writes: placeWrites(table), jobs, limits: PART_LIMITS }),
    now: () => Date.now(),
  },
});

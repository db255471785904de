/** Schedule, every hour: erases what is held of deleted customers and accounts. */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { removeObjects } from '#shared/erasures/erased-objects.s3';
import { openErasureRunner } from '#shared/erasures/open-erasure-runner.dynamodb';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { importFolder, reportFolders } from '../exported-objects.ts';
import { PLACES_KINDS } from '../stored-kinds.ts';
import { erasePlacesOf } from './erased-customer.dynamodb.ts';

export const Env = z.object({ ...placesTable, ACCOUNTS_TABLE: resource, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const table = boundTable(env.PLACES_TABLE);
const bucket = { bucket: env.IMPORTS_BUCKET };
const runOpenErasures = openErasureRunner(boundTable(env.ACCOUNTS_TABLE), {
  domain: 'places',
  table,
  kinds: PLACES_KINDS,
  erase: ({ tenant, customer: id }) => erasePlacesOf(table, { tenant, id }),
  async removeDependents(items) {
    for (const folder of reportFolders(items.map(({ pk }) => String(pk)))) await removeObjects(bucket, folder);
  },
  removeOthers: (tenant) => removeObjects(bucket, importFolder(tenant)),
});

export const handler = scheduled(async (_event, context) => runOpenErasures(Date.now(), context));

/** Schedule, every hour: erases the records of deleted customers and accounts, and records once more. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { removeObjects } from '#shared/erasures/erased-objects.s3';
import { openErasureRunner } from '#shared/erasures/open-erasure-runner.dynamodb';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { accountsTable, imagesTable, picturesBucket } from '../environment.ts';
import { pictureFolders } from '../exported-objects.ts';
import { IMAGES_KINDS } from '../stored-kinds.ts';
import { dueErasuresIn } from './due-erasures.dynamodb.ts';
import { eraseCustomer } from './erase-customer.ts';
import { customerErasureIn } from './erased-customer.dynamodb.ts';
import { finishErasures } from './finish-erasures.ts';
import { validationErasure } from './validation-erasure.dynamodb.ts';

export const Env = z.object({ ...imagesTable, ...picturesBucket, ...accountsTable });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const validation = validationErasure(table, env.PICTURES_BUCKET, () => Date.now());
const ofCustomers = { ...validation, ...customerErasureIn(table) };
const runOpenErasures = openErasureRunner(boundTable(env.ACCOUNTS_TABLE), {
  domain: 'images',
  table,
  kinds: IMAGES_KINDS,
  erase: ({ tenant, customer: id }) => eraseCustomer(ofCustomers, { tenant, id }),
  async removeOthers(tenant) {
    for (const folder of pictureFolders({ tenant }, new Set())) {
      await removeObjects({ bucket: env.PICTURES_BUCKET }, folder);
    }
  },
});
const deps = {
  erasures: dueErasuresIn(table),
  validation,
  failed: ({ tenant, id }: { readonly tenant: string; readonly id: string }, error: unknown) => {
    log.error('record not erased', { tenant, id, error });
    countFault();
  },
};

export const handler = scheduled(async (_event, context) => {
  const now = Date.now();
  log.info('records erased', { finished: await finishErasures(deps, now) });
  await runOpenErasures(now, context);
});

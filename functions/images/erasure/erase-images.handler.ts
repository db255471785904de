/** Schedule, every hour: erases the records of customers whom their tenant has deleted, and records once more. */
import type { ScheduledEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { erasesOpenIn } from '#shared/erasures/erases-open.dynamodb';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { accountsTable, imagesTable, picturesBucket } from '../environment.ts';
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
const eraseCustomers = erasesOpenIn(boundTable(env.ACCOUNTS_TABLE), 'images', ({ tenant, customer: id }) =>
  eraseCustomer(ofCustomers, { tenant, id }),
);
const deps = {
  erasures: dueErasuresIn(table),
  validation,
  failed: ({ tenant, id }: { readonly tenant: string; readonly id: string }, error: unknown) => {
    log.error('record not erased', { tenant, id, error });
    countFault();
  },
};

export const handler = invocation(async (_event: ScheduledEvent) => {
  const now = Date.now();
  log.info('records erased', { finished: await finishErasures(deps, now) });
  await eraseCustomers(now);
});

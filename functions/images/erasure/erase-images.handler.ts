/** Schedule, every hour: erases records once more that were erased a while ago. */
import type { ScheduledEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { dueErasuresIn } from './due-erasures.dynamodb.ts';
import { finishErasures } from './finish-erasures.ts';
import { validationErasure } from './validation-erasure.dynamodb.ts';

export const Env = z.object({ ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const deps = {
  erasures: dueErasuresIn(table),
  validation: validationErasure(table, env.PICTURES_BUCKET, () => Date.now()),
  failed: ({ tenant, id }: { readonly tenant: string; readonly id: string }, error: unknown) => {
    log.error('record not erased', { tenant, id, error });
    countFault();
  },
};

export const handler = invocation(async (_event: ScheduledEvent) => {
  log.info('records erased', { finished: await finishErasures(deps, Date.now()) });
});

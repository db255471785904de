/** Schedule, every hour: a fault if the reader of the stream has not seen what was changed an hour ago. */
import type { ScheduledEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { readEnv } from '#shared/env';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { sendProbe, wasSeen } from '#shared/stream-probe.dynamodb';
import { boundTable } from '#shared/table.dynamodb';
import { placesTable } from '../environment.ts';

export const Env = z.object(placesTable);
const table = boundTable(readEnv(Env).PLACES_TABLE);

export const handler = invocation(async (_event: ScheduledEvent) => {
  if (!(await wasSeen(table))) {
    log.error('the stream of the places table is not read: check-ins wait to be announced');
    countFault();
  }
  await sendProbe(table, Date.now());
});

/** Schedule, every hour: writes the invoices of paid periods that ended an hour ago or more. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { conversionsTable } from '../../environment.ts';
import { closePeriod, duePeriods } from './close-period.dynamodb.ts';

export const Env = z.object(conversionsTable);
const table = boundTable(readEnv(Env).CONVERSIONS_TABLE);

/** The time reserved for the period that is being closed. Periods that are not reached now are closed an hour later. */
const RESERVE_MILLIS = 10_000;

export const handler = scheduled(async (_event, context) => {
  for await (const due of duePeriods(table, Date.now())) {
    if (context.getRemainingTimeInMillis() < RESERVE_MILLIS) return;
    // An account that cannot be closed must not block the others.
    await closePeriod(table, due, Date.now()).catch((error: unknown) => {
      log.error('a period was not closed', { error, tenant: due.tenant, period: due.period.id });
      countFault();
    });
  }
});

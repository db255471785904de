/** Schedule, every hour: announces changes that the reader of the stream has given up. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { announcing } from '../../environment.ts';
import { unannounced } from './announcement-items.dynamodb.ts';
import { announcer } from './announcer.dynamodb.ts';

export const Env = z.object(announcing);
const env = readEnv(Env);
const announce = announcer(env);

/** The age from which an announcement counts as given up: longer than the reader of the stream retries. */
const GIVEN_UP_MILLIS = 15 * 60_000;
const RESERVE_MILLIS = 10_000;

export const handler = scheduled(async (_event, context) => {
  const waiting = unannounced(boundTable(env.CONVERSIONS_TABLE), Date.now() - GIVEN_UP_MILLIS);
  for await (const announced of waiting) {
    if (context.getRemainingTimeInMillis() < RESERVE_MILLIS) return;
    const { tenant, id } = announced;
    log.warn('announced late', { tenant, event: id });
    countFault();
    // An announcement that fails must not block the others.
    await announce(announced).catch((error: unknown) => log.error('not announced', { error, tenant, event: id }));
  }
});

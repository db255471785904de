/** Schedule, every hour: erases what the domain holds of accounts that are erased. */

import * as z from 'zod';
import { readEnv } from '#shared/env';
import { openErasureRunner } from '#shared/erasures/open-erasure-runner.dynamodb';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, conversionsTable } from '../environment.ts';
import { CONVERSIONS_KINDS } from '../stored-kinds.ts';

export const Env = z.object({ ...accountsTable, ...conversionsTable });
const env = readEnv(Env);
const runOpenErasures = openErasureRunner(boundTable(env.ACCOUNTS_TABLE), {
  domain: 'conversions',
  table: boundTable(env.CONVERSIONS_TABLE),
  kinds: CONVERSIONS_KINDS,
});

export const handler = scheduled(async (_event, context) => runOpenErasures(Date.now(), context));

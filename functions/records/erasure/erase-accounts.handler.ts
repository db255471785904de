/** Schedule, every hour: erases download requests and results of accounts that are erased. */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { removeObjects } from '#shared/erasures/erased-objects.s3';
import { openErasureRunner } from '#shared/erasures/open-erasure-runner.dynamodb';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { resultFolder } from '../download/result-file.ts';
import { accountsTable, recordsTable } from '../environment.ts';
import { RECORDS_KINDS } from '../stored-kinds.ts';

export const Env = z.object({ ...accountsTable, ...recordsTable, RESULTS_BUCKET: resource });
const env = readEnv(Env);
const runOpenErasures = openErasureRunner(boundTable(env.ACCOUNTS_TABLE), {
  domain: 'records',
  table: boundTable(env.RECORDS_TABLE),
  kinds: RECORDS_KINDS,
  removeOthers: (tenant) => removeObjects({ bucket: env.RESULTS_BUCKET }, resultFolder(tenant)),
});

export const handler = scheduled(async (_event, context) => runOpenErasures(Date.now(), context));

/** Runs hourly: restarts or ends validations that are overdue. */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { imagesTable } from '../environment.ts';
import { changeValidation } from '../validations/validation-items.dynamodb.ts';
import { executions } from './executions.sfn.ts';
import { overdueIn } from './overdue.dynamodb.ts';
import { type SweepDeps, sweepValidations } from './sweep-validations.ts';

export const Env = z.object({ ...imagesTable, STATE_MACHINE: resource });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const deps: SweepDeps = {
  machine: executions(env.STATE_MACHINE),
  overdue: (now) => overdueIn(table, now),
  change: (after, before) => changeValidation(table, after, before),
};

export const handler = scheduled(async () => {
  const overdue = await sweepValidations(deps, Date.now());
  if (overdue === 0) return;
  log.error('validations were not decided in time', { overdue });
  countFault();
});

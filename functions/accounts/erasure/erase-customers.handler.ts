/**
 * Hourly schedule: erases the data of this domain for every open erasure, and completes the erasures that every domain has
 * finished. `shared/erasures/erasure.ts` describes the whole flow.
 */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { ERASING_DOMAINS } from '#shared/erasures/erasure';
import { completeErasure, openErasures } from '#shared/erasures/erasure-items.dynamodb';
import { openErasureRunner } from '#shared/erasures/open-erasure-runner.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { accountsTable } from '../environment.ts';
import { ACCOUNTS_KINDS } from '../stored-kinds.ts';
import { completeErasures } from './complete-erasures.ts';
import { eraseLedger } from './erased-ledger.dynamodb.ts';
import { erasedPeople } from './erased-people.cognito.ts';

const Domains = z
  .string()
  .transform((names) => ERASING_DOMAINS.account.filter((domain) => names.split(',').includes(domain)));
export const Env = z.object({ ...accountsTable, DOMAINS: Domains, MANAGERS_POOL: resource });
const env = readEnv(Env);
const table = boundTable(env.ACCOUNTS_TABLE);
const runOpenErasures = openErasureRunner(table, {
  domain: 'accounts',
  table,
  kinds: ACCOUNTS_KINDS,
  erase: (erasure) => eraseLedger(table, erasure),
  isRetained: ({ id }, item) => item['id'] === id,
  removeOthers: erasedPeople(env.MANAGERS_POOL),
});

export const handler = scheduled(async (_event, context) => {
  const now = Date.now();
  await runOpenErasures(now, context);
  const deps = {
    open: () => openErasures(table),
    domains: env.DOMAINS,
    complete: (erasure: Parameters<typeof completeErasure>[1]) => completeErasure(table, erasure, isoTime(now)),
  };
  const late = await completeErasures(deps, now);
  if (late === 0) return;
  log.error('erasures are not complete in time', { late });
  countFault();
});

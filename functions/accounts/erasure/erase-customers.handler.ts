/** Schedule, every hour: does the accounts' part of erasures, and completes those of which every domain has done its part. */

import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { erasesOpenIn } from '#shared/erasures/erases-open.dynamodb';
import { ERASING_DOMAINS } from '#shared/erasures/erasure';
import { completeErasure, openErasures } from '#shared/erasures/erasure-items.dynamodb';
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
const eraseOpen = erasesOpenIn(table, {
  domain: 'accounts',
  table,
  kinds: ACCOUNTS_KINDS,
  erase: (erasure) => eraseLedger(table, erasure),
  isLeft: ({ id }, item) => item['id'] === id,
  removeOthers: erasedPeople(env.MANAGERS_POOL),
});

export const handler = scheduled(async (_event, context) => {
  const now = Date.now();
  await eraseOpen(now, context);
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

/** Schedule, every hour: takes the names out of the ledgers of erased customers, and completes their erasures. */
import type { ScheduledEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { erasesOpenIn } from '#shared/erasures/erases-open.dynamodb';
import { ERASING_DOMAINS } from '#shared/erasures/erasure';
import { completeErasure, openErasures } from '#shared/erasures/erasure-items.dynamodb';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import { accountsTable } from '../environment.ts';
import { completeErasures } from './complete-erasures.ts';
import { eraseLedger } from './erased-ledger.dynamodb.ts';

const Domains = z.string().transform((names) => ERASING_DOMAINS.filter((domain) => names.split(',').includes(domain)));
export const Env = z.object({ ...accountsTable, DOMAINS: Domains });
const env = readEnv(Env);
const table = boundTable(env.ACCOUNTS_TABLE);
const erase = erasesOpenIn(table, 'accounts', (erasure) => eraseLedger(table, erasure));

export const handler = invocation(async (_event: ScheduledEvent) => {
  const now = Date.now();
  await erase(now);
  const deps = {
    open: () => openErasures(table),
    domains: env.DOMAINS,
    complete: (erasure: Parameters<typeof completeErasure>[1]) => completeErasure(table, erasure, isoTime(now)),
  };
  const late = await completeErasures(deps, now);
  if (late === 0) return;
  log.error('customers are not erased in time', { late });
  countFault();
});

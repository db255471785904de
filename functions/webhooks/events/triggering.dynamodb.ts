import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { matchingRules } from '../rules/matching-rules.dynamodb.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import { noteSubjectRequest } from '../subject-requests/subject-requests.dynamodb.ts';
import type { ReceiveDeps } from './receive-event.ts';

interface Tables {
  readonly accounts: Table;
  readonly webhooks: Table;
}

/** The dependencies that turn an event into runs, from the API or the bus. */
export const triggering = (
  { accounts, webhooks: table }: Tables,
  options: Pick<ReceiveDeps, 'now'> & { retentionDays: number },
): ReceiveDeps => ({
  rules: matchingRules(table),
  configurations: configurationStore(table),
  runs: runStore({ table, retentionDays: options.retentionDays }),
  noteSubjectRequest: noteSubjectRequest(table, options),
  statusOf: currentStatus(accounts),
  now: options.now,
});

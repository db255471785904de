import type { Table } from '#shared/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { matchingRules } from '../rules/matching-rules.dynamodb.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import type { TriggerDeps } from './trigger-runs.ts';

/** The ports that turn an event into runs, whichever way it comes. */
export const triggering = (
  table: Table,
  options: Pick<TriggerDeps, 'now'> & { retentionDays: number },
): TriggerDeps => ({
  rules: matchingRules(table),
  configurations: configurationStore(table),
  runs: runStore({ table, retentionDays: options.retentionDays }),
  now: options.now,
});

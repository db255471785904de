import { queryPage } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import { isParked, type RunKey, type WaitingRun } from './run.ts';
import { parkedOf, runIn, runKey, runKeyIn } from './run-items.dynamodb.ts';
import { sweepAfterStart } from './run-machine.ts';
import type { ParkedRuns } from './runs.ts';

export const parkedRuns = (table: Table): ParkedRuns => ({
  async first({ tenant, configurationId }, count) {
    const values = { parked: parkedOf(tenant, configurationId) };
    const { items } = await queryPage(table, { index: 'Parked', where: 'parked = :parked', values, limit: count });
    return items.map(({ pk, nextAttemptAt }) => ({ ...runKeyIn({ pk }), dueAt: nextAttemptAt }));
  },
  unpark: (key, now) => unpark(table, key, now),
});

/** Writes the step `unparked` without a read, because the index has no revisions. */
async function unpark(table: Table, key: RunKey, now: number): Promise<WaitingRun | undefined> {
  const write = await updateItem(table, runKey(key), {
    change:
      'SET nextSweepAt = :nextSweepAt, sweeps = :none, revision = revision + :one REMOVE parked, isParked, isPaused',
    condition: 'isParked = :yes',
    values: { nextSweepAt: sweepAfterStart(now), none: 0, one: 1, yes: true },
    returns: 'ALL_NEW',
  });
  const run = write.done && runIn(write.item);
  return run && 'nextAttemptAt' in run && !isParked(run) ? run : undefined;
}

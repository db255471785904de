import { queryItems } from '#shared/table/queries.dynamodb';
import { getItems, type Item, type Key, type Table } from '#shared/table/table.dynamodb';
import { EXISTS, updateItem } from '#shared/table/writes.dynamodb';
import { log, tenantIn } from '#shared/telemetry/log';
import { LOAD_ITEM } from '../table-keys.ts';
import type { LeasedRun, ParkedRun, Run, WaitingRun } from './run.ts';
import { DUE_SHARDS, dueOf, payloadKey, runIn, runKey, runKeyIn } from './run-items.dynamodb.ts';
import type { Due, DueRuns } from './runs.ts';

/** @param retentionDays the number of days that runs are kept */
export const dueRuns = (table: Table, { retentionDays }: { readonly retentionDays: number }): DueRuns => ({
  due: (until) => due(table, until),
  byIds: async (keys) => (await getItems(table, keys.map(runKey))).flatMap(readable),
  postponeSweep: (run, then) => postponeSweep(table, run, then),
  keep: (run, { nextSweepAt }) =>
    extendRetention(table, run, { nextSweepAt, until: nextSweepAt + retentionDays * 86_400_000 }),
});

async function* due(table: Table, until: number): AsyncGenerator<Due> {
  // Each minute begins at a different shard, so that sweeps that are cut short do not always skip the same runs.
  const first = Math.floor(until / 60_000);
  for (let n = 0; n < DUE_SHARDS; n += 1) yield* dueOfShard(table, (first + n) % DUE_SHARDS, until);
}

async function* dueOfShard(table: Table, shard: number, until: number): AsyncGenerator<Due> {
  const values = { due: dueOf(shard), until };
  const items = queryItems(table, { index: 'Due', where: 'due = :due AND nextSweepAt <= :until', values });
  for await (const { pk, sk } of items) yield dueIn({ pk, sk });
}

function dueIn({ pk, sk }: Key): Due {
  if (sk !== LOAD_ITEM) return { run: runKeyIn({ pk }) };
  const { tenant, id: configurationId } = runKeyIn({ pk });
  return { configuration: { tenant, configurationId } };
}

async function postponeSweep(
  table: Table,
  run: WaitingRun | ParkedRun | LeasedRun,
  { nextSweepAt, sweeps }: { nextSweepAt: number; sweeps: number },
): Promise<void> {
  await updateItem(table, runKey(run), {
    change: 'SET nextSweepAt = :nextSweepAt, sweeps = :sweeps REMOVE dispatchAttempt',
    condition: 'revision = :revision AND nextSweepAt = :seen',
    values: { nextSweepAt, sweeps, revision: run.revision, seen: run.nextSweepAt },
  });
}

/** Extends the retention of a parked run. Its payload is written first, because a run without it could not be sent. */
async function extendRetention(
  table: Table,
  run: ParkedRun,
  { nextSweepAt, until }: { nextSweepAt: number; until: number },
): Promise<void> {
  const ttl = Math.floor(until / 1_000);
  const payload = await updateItem(table, payloadKey(run), { change: 'SET #ttl = :ttl', ...EXISTS, values: { ttl } });
  if (!payload.done) log.warn('the payload of a paused run is gone', { run: run.id, tenant: run.tenant });
  await updateItem(table, runKey(run), {
    change: 'SET nextSweepAt = :nextSweepAt, keptUntil = :until, #ttl = :ttl',
    condition: 'revision = :revision',
    values: { nextSweepAt, until, ttl, revision: run.revision },
  });
}

/** Skips a run that cannot be read, so that the others are swept. */
function readable(item: Item): Run[] {
  try {
    return [runIn(item)];
  } catch (error) {
    log.error('a run cannot be read', { error, pk: item['pk'], ...tenantIn(item) });
    return [];
  }
}

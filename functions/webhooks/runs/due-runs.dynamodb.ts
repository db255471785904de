import { QueryCommand, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getItems, type Item, type Key, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { log, tenantIn } from '#shared/telemetry/log';
import { LOAD_ITEM } from '../table-keys.ts';
import type { LeasedRun, ParkedRun, Run, WaitingRun } from './run.ts';
import { DUE_SHARDS, dueOf, payloadKey, runIn, runKey, runKeyIn } from './run-items.dynamodb.ts';
import type { Due, DueRuns } from './runs.ts';

/** @param retentionDays the number of days that runs are kept */
export const dueRuns = (table: Table, { retentionDays }: { readonly retentionDays: number }): DueRuns => ({
  due: (until) => due(table, until),
  byIds: async (keys) => (await getItems(table, keys.map(runKey))).flatMap(readable),
  noteLook: (run, then) => noteLook(table, run, then),
  keep: (run, { lookAt }) => extendRetention(table, run, { lookAt, until: lookAt + retentionDays * 86_400_000 }),
});

async function* due(table: Table, until: number): AsyncGenerator<Due> {
  // Each minute begins at a different shard, so that sweeps that are cut short do not always skip the same runs.
  const first = Math.floor(until / 60_000);
  for (let n = 0; n < DUE_SHARDS; n += 1) yield* dueOfShard(table, (first + n) % DUE_SHARDS, until);
}

async function* dueOfShard(table: Table, shard: number, until: number): AsyncGenerator<Due> {
  let start: Record<string, never> | undefined;
  do {
    const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'Due',
        KeyConditionExpression: 'due = :due AND lookAt <= :until',
        ExpressionAttributeValues: marshalled({ ':due': dueOf(shard), ':until': until }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of items) yield dueIn(unmarshall(item) as Key);
    start = last as Record<string, never> | undefined;
  } while (start);
}

function dueIn({ pk, sk }: Key): Due {
  if (sk !== LOAD_ITEM) return { run: runKeyIn({ pk }) };
  const { tenant, id: configurationId } = runKeyIn({ pk });
  return { configuration: { tenant, configurationId } };
}

async function noteLook(
  table: Table,
  run: WaitingRun | ParkedRun | LeasedRun,
  { lookAt, looks }: { lookAt: number; looks: number },
): Promise<void> {
  await whenAllowed(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshalled(runKey(run)),
        UpdateExpression: 'SET lookAt = :lookAt, looks = :looks REMOVE announces',
        ConditionExpression: 'revision = :revision AND lookAt = :seen',
        ExpressionAttributeValues: marshalled({
          ':lookAt': lookAt,
          ':looks': looks,
          ':revision': run.revision,
          ':seen': run.lookAt,
        }),
      }),
    ),
  );
}

/** Extends the retention of a parked run. Its payload is written first, because a run without it could not be sent. */
async function extendRetention(
  table: Table,
  run: ParkedRun,
  { lookAt, until }: { lookAt: number; until: number },
): Promise<void> {
  const ttl = Math.floor(until / 1_000);
  const update = (input: Omit<UpdateItemCommandInput, 'TableName'>) =>
    whenAllowed(
      table.client.send(
        new UpdateItemCommand({ TableName: table.name, ExpressionAttributeNames: { '#ttl': 'ttl' }, ...input }),
      ),
    );
  const payload = await update({
    Key: marshalled(payloadKey(run)),
    UpdateExpression: 'SET #ttl = :ttl',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: marshalled({ ':ttl': ttl }),
  });
  if (!payload.done) log.warn('the payload of a paused run is gone', { run: run.id, tenant: run.tenant });
  await update({
    Key: marshalled(runKey(run)),
    UpdateExpression: 'SET lookAt = :lookAt, keptUntil = :until, #ttl = :ttl',
    ConditionExpression: 'revision = :revision',
    ExpressionAttributeValues: marshalled({
      ':lookAt': lookAt,
      ':until': until,
      ':ttl': ttl,
      ':revision': run.revision,
    }),
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

import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { isParked, type RunKey, type WaitingRun } from './run.ts';
import { parkedOf, runIn, runKey, runKeyIn } from './run-items.dynamodb.ts';
import { startedLookAt } from './run-machine.ts';
import type { ParkedRuns } from './runs.ts';

export const parkedRuns = (table: Table): ParkedRuns => ({
  async first({ tenant, configurationId }, count) {
    const { Items: items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'Parked',
        KeyConditionExpression: 'parked = :parked',
        ExpressionAttributeValues: marshalled({ ':parked': parkedOf(tenant, configurationId) }),
        Limit: count,
      }),
    );
    return items.map((item) => {
      const { pk, nextAttemptAt } = unmarshall(item) as { pk: string; nextAttemptAt: number };
      return { ...runKeyIn({ pk }), dueAt: nextAttemptAt };
    });
  },
  unpark: (key, now) => unpark(table, key, now),
});

/** Writes the step `unparked` without a read, because the index has no revisions. */
async function unpark(table: Table, key: RunKey, now: number): Promise<WaitingRun | undefined> {
  const write = await whenAllowed(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshalled(runKey(key)),
        UpdateExpression:
          'SET lookAt = :lookAt, looks = :none, revision = revision + :one REMOVE parked, isParked, isPaused',
        ConditionExpression: 'isParked = :yes',
        ExpressionAttributeValues: marshalled({ ':lookAt': startedLookAt(now), ':none': 0, ':one': 1, ':yes': true }),
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  const run = write.done && runIn(unmarshall(write.result.Attributes ?? {}));
  return run && 'nextAttemptAt' in run && !isParked(run) ? run : undefined;
}

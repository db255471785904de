import { PutItemCommand, QueryCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { log } from '#shared/log';
import { getItem, getItems, type Item, marshalled, type Table, transact, whenAllowed } from '#shared/table.dynamodb';
import { configurationKey } from '../configurations/configuration-store.dynamodb.ts';
import type { Attempt } from './attempt.ts';
import { REPLAYS_MAX } from './replay-run.ts';
import { hasEnded, isLeased, type Payload, type Run, type RunKey, type WaitingRun } from './run.ts';
import {
  attemptItem,
  DUE_SHARDS,
  dueOf,
  payloadIn,
  payloadItem,
  payloadKey,
  runIn,
  runItem,
  runKey,
  runKeyIn,
} from './run-items.dynamodb.ts';
import type { DueRuns, Runs } from './runs.ts';

export interface RunStoreOptions {
  readonly table: Table;
  /** Runs and all that belongs to them are kept this long after they were made. */
  readonly retentionDays: number;
  /**
   * A write that goes into the transaction of a replay and forbids it by its condition. Needed by whoever makes replays
   * for bulk replays, which are counted there.
   */
  readonly countingReplay?: (run: WaitingRun & { readonly bulkReplay: string }) => TransactWriteItem;
}

export const runStore = ({ table, retentionDays, countingReplay }: RunStoreOptions): Runs & DueRuns => {
  const expiry = ({ createdAt }: { createdAt: number }) => createdAt + retentionDays * 86_400_000;
  const put = (run: Run) => ({ TableName: table.name, Item: marshalled(runItem(run, expiry(run))) });

  async function byId(key: RunKey) {
    const item = await getItem(table, runKey(key));
    return item && runIn(item);
  }

  return {
    byId,

    async payload(key) {
      const item = await getItem(table, payloadKey(key));
      return item && payloadIn(item);
    },

    async create(stated, payload) {
      const first = await putPayload(stated, payload);
      // Somebody died between the two writes: the time that the payload names is the one that counts.
      const run = { ...stated, createdAt: first.createdAt };
      const write = await whenAllowed(
        table.client.send(
          new PutItemCommand({
            ...put(run),
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      return write.done || !write.item ? run : runIn(write.item);
    },

    async createReplay(original, run, payload) {
      await putPayload(run, payload);
      const outcome = await transact(table, [
        {
          Update: {
            TableName: table.name,
            Key: marshalled(runKey(original)),
            UpdateExpression: 'SET replays = replays + :one, revision = revision + :one',
            ConditionExpression:
              '#status = :failed AND replays < :most AND attribute_not_exists(resolvedBy) AND attribute_not_exists(replayOf)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: marshalled({ ':one': 1, ':failed': 'FAILED', ':most': REPLAYS_MAX }),
          },
        },
        {
          ConditionCheck: {
            TableName: table.name,
            Key: marshalled(configurationKey(run.tenant, run.configurationId)),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        { Put: { ...put(run), ConditionExpression: 'attribute_not_exists(pk)' } },
        ...counting(run),
      ]);
      if (outcome.done) return 'created';
      const [notReplayable, noConfiguration, there, bulkReplayEnded] = outcome.refused;
      // First, because a repeated call also finds the counter raised.
      if (there) return 'there';
      if (bulkReplayEnded) return 'bulk-replay-ended';
      return noConfiguration && !notReplayable ? 'configuration-missing' : 'not-replayable';
    },

    async replace(run) {
      const write = await whenAllowed(
        table.client.send(
          new PutItemCommand({
            ...put(run),
            ConditionExpression: 'revision = :before',
            ExpressionAttributeValues: marshalled({ ':before': run.revision - 1 }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      // The SDK repeats a call whose answer was lost; the token tells our own write from somebody else's.
      return write.done || isSame(write.item && runIn(write.item), run);
    },

    async finish(run, token) {
      const finished = {
        ...put(run),
        ConditionExpression: 'lease.#token = :token',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: marshalled({ ':token': token }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      };
      if (run.replayOf === undefined || run.status !== 'COMPLETED') {
        const write = await whenAllowed(table.client.send(new PutItemCommand(finished)));
        return write.done || isSame(write.item && runIn(write.item), run);
      }
      const outcome = await transact(table, [{ Put: finished }, resolving(run, run.replayOf)]);
      if (outcome.done) return true;
      // The original may have expired meanwhile; what is left to do is the run itself.
      if (!outcome.refused[0]) {
        const write = await whenAllowed(table.client.send(new PutItemCommand(finished)));
        return write.done || isSame(write.item && runIn(write.item), run);
      }
      const { item } = outcome.refused[0];
      return isSame(item && runIn(item), run);
    },

    async addAttempt(key, attempt) {
      await table.client.send(new PutItemCommand(attemptPut(key, attempt)));
    },

    async addInterrupted(key, attempt) {
      await whenAllowed(
        table.client.send(
          new PutItemCommand({ ...attemptPut(key, attempt), ConditionExpression: 'attribute_not_exists(pk)' }),
        ),
      );
    },

    async *due(until) {
      // From another one every minute: a sweep that is cut must not leave out the same runs every time.
      const first = Math.floor(until / 60_000);
      for (let n = 0; n < DUE_SHARDS; n += 1) {
        const shard = (first + n) % DUE_SHARDS;
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
          for (const item of items) yield runKeyIn(unmarshall(item) as { pk: string });
          start = last as Record<string, never> | undefined;
        } while (start);
      }
    },

    async byIds(keys) {
      return (await getItems(table, keys.map(runKey))).flatMap(readable);
    },

    async noteLook(run, { lookAt, looks }) {
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
    },
  };

  function counting(run: WaitingRun): TransactWriteItem[] {
    const { bulkReplay } = run;
    if (bulkReplay === undefined) return [];
    if (!countingReplay) throw new Error('This store of runs cannot count replays of bulk replays.');
    return [countingReplay({ ...run, bulkReplay })];
  }

  /** Gives the payload that was first. */
  async function putPayload(run: Run, payload: Payload): Promise<Payload> {
    const write = await whenAllowed(
      table.client.send(
        new PutItemCommand({
          TableName: table.name,
          Item: marshalled(payloadItem(run, payload, expiry(run))),
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    return write.done || !write.item ? payload : payloadIn(write.item);
  }

  function resolving({ tenant, id }: Run, original: string): TransactWriteItem {
    return {
      Update: {
        TableName: table.name,
        Key: marshalled(runKey({ tenant, id: original })),
        UpdateExpression: 'SET resolvedBy = if_not_exists(resolvedBy, :replay), revision = revision + :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: marshalled({ ':replay': id, ':one': 1 }),
      },
    };
  }

  /** Attempts expire with their run. The id of the run does not tell when that is, so they count from their own time. */
  function attemptPut(key: RunKey, attempt: Attempt) {
    return {
      TableName: table.name,
      Item: marshalled(attemptItem(key, attempt, expiry({ createdAt: attempt.startedAt }))),
    };
  }
};

/** One run that cannot be read must not keep the sweeper from the others. */
function readable(item: Item): Run[] {
  try {
    return [runIn(item)];
  } catch (error) {
    log.error('a run cannot be read', error, { pk: item['pk'] });
    return [];
  }
}

/** Tells a write of one's own, seen again, from somebody else's. */
const isSame = (stored: Run | undefined, run: Run) =>
  stored !== undefined &&
  stored.revision === run.revision &&
  stored.status === run.status &&
  markOf(stored) === markOf(run);

function markOf(run: Run): string | number {
  if (isLeased(run)) return run.lease.token;
  return hasEnded(run) ? run.completedAt : run.nextAttemptAt;
}

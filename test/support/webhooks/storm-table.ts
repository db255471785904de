/** What a storm asks the webhooks table beside the API, and the one thing that it changes there. */
import { paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RUN, RUN_ITEM, type WebhooksIndexes } from '../../../functions/webhooks/table-keys.ts';
import { type Item, marshalled, type Table, whenAllowed } from '../../../shared/table/table.dynamodb.ts';

/** A configuration of which runs were parked stays in the index of what is due for some minutes: it is left out. */
export async function isAnyRunDue(table: Table): Promise<boolean> {
  for await (const { sk } of itemsOf(table, 'Due')) if (sk === RUN_ITEM) return true;
  return false;
}

export async function countRuns(table: Table): Promise<number> {
  let count = 0;
  for await (const { sk } of itemsOf(table, 'Log')) if (sk === RUN_ITEM) count += 1;
  return count;
}

/**
 * The ids of the runs that wait in a backlog at this moment. The index is read twice: it is not read in one moment, but
 * a run that is parked both times was given its slot when all the others had been parked.
 */
export async function backlogOf(table: Table): Promise<ReadonlySet<string>> {
  const before = await parkedIds(table);
  return new Set([...(await parkedIds(table))].filter((id) => before.has(id)));
}

async function parkedIds(table: Table): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { pk } of itemsOf(table, 'Parked')) ids.add(String(pk).slice(RUN.length).split('#')[1] ?? '');
  return ids;
}

/** Lets the minute pass for runs whose worker was lost or whose message never came. */
export async function hurry(table: Table): Promise<void> {
  const now = Date.now();
  for await (const { pk, sk } of itemsOf(table, 'Due')) {
    await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled({ pk, sk }),
          UpdateExpression: 'SET nextSweepAt = :now',
          ConditionExpression:
            'nextSweepAt > :now AND (lease.#until < :now OR (attribute_not_exists(lease) AND nextAttemptAt < :late))',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: marshalled({ ':now': now, ':late': now - 4_000 }),
        }),
      ),
    );
  }
}

async function* itemsOf(table: Table, index: keyof WebhooksIndexes): AsyncGenerator<Item> {
  for await (const { Items: items = [] } of paginateScan(
    { client: table.client },
    { TableName: table.name, IndexName: index },
  )) {
    for (const item of items) yield unmarshall(item);
  }
}

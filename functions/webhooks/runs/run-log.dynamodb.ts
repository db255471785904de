import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { cursorAt, positionOf } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import { getItems, type Item, marshalled, type Table } from '#shared/table.dynamodb';
import { isFinal, type Run, type RunKey } from './run.ts';
import { attemptIn, LOG_SHARDS, logOf, payloadIn, runIn, runKey, runKeyIn } from './run-items.dynamodb.ts';
import type { RunDetails, RunFilter, RunLog } from './run-log.ts';

export interface RunLogOptions {
  /**
   * A filter that few runs pass must not hold up a call: after this many index entries the page ends where it is.
   * @default 4,000
   */
  readonly entriesMax?: number;
  /** @default 250 */
  readonly entriesPerRead?: number;
}

export const runLog = (table: Table, options: RunLogOptions = {}): RunLog => ({
  list: (tenant, filter, page) => list(table, { tenant, filter, ...options }, page),
  details: (key) => details(table, key),
});

interface Listing extends RunLogOptions {
  readonly tenant: string;
  readonly filter: RunFilter;
}

async function list(
  table: Table,
  { tenant, filter, entriesMax = 4_000, entriesPerRead = 250 }: Listing,
  { limit, cursor }: PageQuery,
): Promise<Page<Run>> {
  const name = `RUNS#${tenant}`;
  const before = positionOf(name, cursor, ['before'])?.['before'];
  const budget = { entries: entriesMax, perRead: entriesPerRead };
  const shards = await Promise.all(
    Array.from({ length: LOG_SHARDS }, (_, shard) =>
      Shard.open(entries(table, { tenant, shard, filter, before, budget })),
    ),
  );
  const { page, last } = await newestOf(shards, limit);
  const isLast = shards.every((shard) => shard.position === undefined);
  const runs = await runsOf(table, page);
  const items = runs.filter((run) => filter.status === undefined || run.status === filter.status);
  const nextCursor = isLast || last === undefined ? undefined : cursorAt(name, { before: last });
  return { items, ...(nextCursor && { nextCursor }) };
}

/** The newest entries of all shards together, and the position of the last one that was looked at. */
async function newestOf(shards: readonly Shard[], limit: number): Promise<{ page: Item[]; last: string | undefined }> {
  const page: Item[] = [];
  let last: string | undefined;
  while (page.length < limit) {
    const newest = shards.reduce<Shard | undefined>(
      (best, shard) => (shard.isNewerThan(best) ? shard : best),
      undefined,
    );
    if (!newest) break;
    const entry = newest.head;
    last = newest.position;
    // The budget is used up: older entries are left to the next page, so this shard stays where it is.
    if (entry === undefined) break;
    await newest.advance();
    page.push(entry);
  }
  return { page, last };
}

/** The runs of these entries as they are now, in the same order. Expired ones are left out. */
async function runsOf(table: Table, page: readonly Item[]): Promise<Run[]> {
  const items = await getItems(
    table,
    page.map(({ pk }) => runKey(runKeyIn({ pk: String(pk) }))),
  );
  const order = new Map(page.map(({ pk }, index) => [pk, index]));
  return items.map(runIn).toSorted((a, b) => (order.get(runKey(a).pk) ?? 0) - (order.get(runKey(b).pk) ?? 0));
}

async function details(table: Table, key: RunKey): Promise<RunDetails | undefined> {
  const { pk } = runKey(key);
  const items: Item[] = [];
  let start: Record<string, never> | undefined;
  do {
    const { Items: found = [], LastEvaluatedKey: next } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshalled({ ':pk': pk }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...found.map((item) => unmarshall(item)));
    start = next as Record<string, never> | undefined;
  } while (start);
  const run = items.find(({ sk }) => sk === 'RUN');
  const payload = items.find(({ sk }) => sk === 'PAYLOAD');
  if (!run) return undefined;
  return {
    run: runIn(run),
    ...(payload && { payload: payloadIn(payload) }),
    attempts: items.filter(({ sk }) => String(sk).startsWith('ATTEMPT#')).map(attemptIn),
  };
}

interface Entries {
  readonly tenant: string;
  readonly shard: number;
  readonly filter: RunFilter;
  readonly before: string | undefined;
  /** The entries left to read, for all shards together, and the most that one read takes. */
  readonly budget: { entries: number; readonly perRead: number };
}

type Entry = { readonly position: string; readonly item?: Item };

/** The matching entries of one shard, newest first. When the budget is spent it ends with a position and no item. */
async function* entries(table: Table, { tenant, shard, filter, before, budget }: Entries): AsyncGenerator<Entry> {
  const { condition, names, values } = conditionOf(filter);
  const from = filter.from === undefined ? '0' : momentAt(filter.from);
  const until = [before, filter.to === undefined ? undefined : momentAt(filter.to)].reduce<string>(
    (least, position) => (position !== undefined && position < least ? position : least),
    '~',
  );
  if (from >= until) return;
  let start: Record<string, never> | undefined;
  do {
    const {
      Items: items = [],
      LastEvaluatedKey: next,
      ScannedCount: scanned = 0,
    } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'Log',
        KeyConditionExpression: '#log = :log AND logPosition BETWEEN :from AND :until',
        ...(condition && { FilterExpression: condition }),
        ExpressionAttributeNames: { '#log': 'log', ...names },
        ExpressionAttributeValues: marshalled({
          ':log': logOf(tenant, shard),
          ':from': from,
          ':until': until,
          ...values,
        }),
        ScanIndexForward: false,
        Limit: budget.perRead,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of items.map((found) => unmarshall(found))) {
      // BETWEEN includes both ends; the end is where the previous page stopped.
      if (item['logPosition'] !== until && isOfRecord(item, filter))
        yield { position: String(item['logPosition']), item };
    }
    budget.entries -= scanned;
    start = next as Record<string, never> | undefined;
    if (start && budget.entries <= 0) yield { position: String(unmarshall(start)['logPosition']) };
    if (budget.entries <= 0) return;
  } while (start);
}

/** The index cannot be queried by how a text ends. */
const isOfRecord = ({ record }: Item, { record: wanted }: RunFilter) =>
  wanted === undefined || record === wanted || String(record).endsWith(`: ${wanted}`);

const momentAt = (millis: number) => String(Math.max(0, millis)).padStart(15, '0');

/**
 * The index lacks what changes while a run is delivered: it knows whether the run has ended, the rest is checked on the
 * run.
 */
function conditionOf(filter: RunFilter) {
  const conditions: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, string> = {};
  const is = (attribute: string, value: string | undefined) => {
    if (value === undefined) return;
    names[`#${attribute}`] = attribute;
    values[`:${attribute}`] = value;
    conditions.push(`#${attribute} = :${attribute}`);
  };
  is('module', filter.module);
  is('configurationId', filter.configuration);
  if (filter.status !== undefined && isFinal(filter.status)) is('outcome', filter.status);
  else if (filter.status !== undefined) {
    names['#outcome'] = 'outcome';
    conditions.push('attribute_not_exists(#outcome)');
  }
  if (filter.record !== undefined) {
    names['#record'] = 'record';
    values[':record'] = filter.record;
    values[':id'] = `: ${filter.record}`;
    conditions.push('(#record = :record OR contains(#record, :id))');
  }
  return { condition: conditions.join(' AND '), names, values };
}

/** One of several sorted lists that are merged. */
class Shard {
  position: string | undefined;
  head: Item | undefined;
  private readonly entries: AsyncGenerator<Entry>;

  private constructor(found: AsyncGenerator<Entry>) {
    this.entries = found;
  }

  static async open(found: AsyncGenerator<Entry>): Promise<Shard> {
    const shard = new Shard(found);
    await shard.advance();
    return shard;
  }

  isNewerThan(other: Shard | undefined): boolean {
    return this.position !== undefined && (other?.position === undefined || this.position > other.position);
  }

  async advance(): Promise<void> {
    const { value, done } = await this.entries.next();
    this.position = done ? undefined : value.position;
    this.head = done ? undefined : value.item;
  }
}

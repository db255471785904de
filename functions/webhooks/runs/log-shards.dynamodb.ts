import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { openMerged, type Placed } from '#shared/table/sharded-lists';
import { type Item, marshalled, type Table } from '#shared/table/table.dynamodb';
import { failedOf, LOG_SHARDS, logOf } from './run-items.dynamodb.ts';
import { isOfRecord, type RunFilter } from './run-log.ts';

export interface LogEntriesOptions {
  /**
   * The page ends after this many index entries, so that a filter that few runs match does not make a call slow. Shards
   * are read side by side, and equally far: a page may read one more time from each.
   * @default 4,000
   */
  readonly entriesMax?: number;
  /** @default 250 */
  readonly entriesPerRead?: number;
  /** The entries of the first read of each shard. @default 25 for a page without filters, else 120 */
  readonly entriesFirst?: number;
}

interface EntriesQuery extends LogEntriesOptions {
  readonly tenant: string;
  readonly filter: RunFilter;
  /** The position before which entries are returned. */
  readonly before: string | undefined;
  /** True to read all entries at once, of each its position and its outcome alone. @default false */
  readonly isCounting?: boolean;
}

/** Opens the log: the entries of all shards that match the filters of the index, merged, newest first. */
export async function openLog(
  table: Table,
  { entriesMax = 4_000, entriesPerRead = 250, entriesFirst, ...query }: EntriesQuery,
) {
  // What few runs match is looked for in all entries of the page at once: smaller reads would only be more of them.
  const needsAll = query.isCounting || query.filter.record !== undefined || isOfRunning(query.filter);
  const expected = needsAll
    ? Math.ceil(entriesMax / LOG_SHARDS)
    : Math.min(entriesFirst ?? entriesOfFirstRead(query.filter), entriesPerRead);
  // The first read may begin with the entry at which the previous page ended, so it takes at least one more.
  const first = Math.max(2, expected);
  const budget = { entries: entriesMax, perRead: entriesPerRead, first };
  const shards = Array.from({ length: LOG_SHARDS }, (_, shard) => entries(table, { ...query, shard, budget }));
  const log = await openMerged(shards);
  let isCut = false;
  return {
    /** Returns the next entries, and the position of the last one that was read. */
    take: async (count: number): Promise<EntriesPage> => {
      const page: Item[] = [];
      let last: string | undefined;
      while (page.length < count && !isCut) {
        const entry = await log.next();
        if (!entry) break;
        last = entry.position;
        if (entry.item) page.push(entry.item);
        else isCut = true;
      }
      return { page, last, isCut };
    },
    /** Returns whether all entries have been taken. */
    isOver: () => !isCut && log.isOver(),
  };
}

/** Returns the entries of the first read of a shard: more where a filter leaves some of them out. */
const entriesOfFirstRead = ({ module, configuration }: RunFilter): number =>
  module === undefined && configuration === undefined ? 25 : 120;

export type OpenLog = Awaited<ReturnType<typeof openLog>>;

interface EntriesPage {
  readonly page: Item[];
  readonly last: string | undefined;
  /** True if the budget of this call is spent. */
  readonly isCut: boolean;
}

interface Entries {
  readonly tenant: string;
  readonly shard: number;
  readonly filter: RunFilter;
  readonly before: string | undefined;
  readonly isCounting?: boolean;
  /** The number of entries left to read, for all shards together, and the limit of one read. */
  readonly budget: { entries: number; readonly perRead: number; readonly first: number };
}

type Entry = Placed & { readonly item?: Item };

/** The matching entries of one shard, newest first. When the budget is spent it ends with a position and no item. */
async function* entries(
  table: Table,
  { tenant, shard, filter, before, isCounting = false, budget }: Entries,
): AsyncGenerator<Entry, void> {
  const { condition, names, values } = conditionOf(filter);
  const index = isOfFailed(filter)
    ? { name: 'Failed', key: 'failed', value: failedOf(tenant, shard) }
    : { name: 'Log', key: 'log', value: logOf(tenant, shard) };
  const from = filter.from === undefined ? '0' : momentAt(filter.from);
  const until = [before, filter.to === undefined ? undefined : momentAt(filter.to)].reduce<string>(
    (least, position) => (position !== undefined && position < least ? position : least),
    '~',
  );
  if (from >= until) return;
  let start: Record<string, never> | undefined;
  let size = budget.first;
  do {
    const {
      Items: items = [],
      LastEvaluatedKey: next,
      ScannedCount: scanned = 0,
    } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: index.name,
        KeyConditionExpression: '#shard = :shard AND logPosition BETWEEN :from AND :until',
        ...(condition && { FilterExpression: condition }),
        ...(isCounting && { ProjectionExpression: 'logPosition, outcome' }),
        ExpressionAttributeNames: { '#shard': index.key, ...names },
        ExpressionAttributeValues: marshalled({
          ':shard': index.value,
          ':from': from,
          ':until': until,
          ...values,
        }),
        ScanIndexForward: false,
        Limit: size,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    budget.entries -= scanned;
    for (const item of items.map((item) => unmarshall(item))) {
      // BETWEEN includes both ends; the previous page has returned the end.
      if (item['logPosition'] !== until && isOfRecord(String(item['record']), filter.record))
        yield { position: String(item['logPosition']), item };
    }
    size = budget.perRead;
    start = next as Record<string, never> | undefined;
    if (start && budget.entries <= 0) yield { position: String(unmarshall(start)['logPosition']) };
    if (budget.entries <= 0) return;
  } while (start);
}

/** True if only runs that have not ended can pass. */
const isOfRunning = ({ status }: RunFilter) => status === 'CREATED' || status === 'IN_PROGRESS';

const momentAt = (millis: number) => String(Math.max(0, millis)).padStart(15, '0');

/** True if only failed runs can pass: others are never resolved or unresolved. */
const isOfFailed = ({ status, resolved }: RunFilter) => status === 'FAILED' || resolved !== undefined;

/**
 * The filter of the index query. The indexes have only attributes that do not change while a run is delivered, and `Log`
 * whether it has ended; the rest is checked on the run.
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
  // The index `Failed` has no outcome: there, the run itself is compared with a status.
  const status = isOfFailed(filter) ? undefined : filter.status;
  if (status === 'COMPLETED') is('outcome', status);
  else if (status !== undefined) {
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

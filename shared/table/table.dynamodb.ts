import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  type KeysAndAttributes,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import { callLimits } from '#shared/quotas/call-limits';
import { count } from '#shared/telemetry/faults';
import { TABLE_THROTTLES } from '#shared/telemetry/metric-scope';

/** A table, and the client that reaches it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBClient;
}

export function dynamoDbClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const newClient = new DynamoDBClient({
    maxAttempts: 5,
    requestHandler: callLimits(5_000),
    ...config,
  });
  // It copies each request and answer for a logger that is not there: a tenth of the processor time of a call.
  newClient.middlewareStack.remove('loggerMiddleware');
  newClient.middlewareStack.add(countingThrottles, { step: 'deserialize', priority: 'high', name: 'countThrottles' });
  return newClient;
}

/** Counts throttled tries. The SDK retries them, so they go unnoticed while the retries succeed. */
const countingThrottles =
  <Args, Answer>(next: (args: Args) => Promise<Answer>) =>
  async (args: Args): Promise<Answer> => {
    try {
      return await next(args);
    } catch (error) {
      if (isThrottle(error)) count(TABLE_THROTTLES);
      throw error;
    }
  };

const THROTTLES = new Set([
  'ThrottlingException',
  'ThrottlingError',
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

const isThrottle = (error: unknown): boolean =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).some(({ Code = '' }) => THROTTLES.has(Code))
    : error instanceof Error && THROTTLES.has(error.name);

let client: DynamoDBClient | undefined;

/** A table bound to this function; all of them share one client. */
export function boundTable(name: string): Table {
  client ??= dynamoDbClient();
  return { name, client };
}

export type Item = Record<string, NativeAttributeValue>;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export const marshalled = (item: object) => marshall(item, { removeUndefinedValues: true });

/** The item as it is now (strongly consistent), or undefined. */
export async function getItem(table: Table, key: Key): Promise<Item | undefined> {
  const { Item: item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: marshall(key), ConsistentRead: true }),
  );
  return item && unmarshall(item);
}

/** Reads an item (strongly consistent) and parses it; undefined if there is none. */
export async function readItem<Read>(table: Table, key: Key, read: (item: Item) => Read): Promise<Read | undefined> {
  const item = await getItem(table, key);
  return item && read(item);
}

/** The most keys that one call takes. */
const BATCH = 100;
const FRUITLESS_CALLS_MAX = 8;

/** The items of these keys as they are now (strongly consistent), in no order. Missing ones are left out. */
export async function getItems(table: Table, keys: readonly Key[]): Promise<Item[]> {
  const items: Item[] = [];
  for (let from = 0; from < keys.length; from += BATCH) {
    items.push(...(await getBatch(table, keys.slice(from, from + BATCH).map(marshalled))));
  }
  return items;
}

/** An answer holds at most 16 MB and a busy table returns less: the rest is requested again. */
async function getBatch(table: Table, keys: NonNullable<KeysAndAttributes['Keys']>): Promise<Item[]> {
  const items: Item[] = [];
  let pending = keys;
  for (let fruitless = 0; pending.length > 0; ) {
    const { Responses: answers = {}, UnprocessedKeys: left = {} } = await table.client.send(
      new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys: pending, ConsistentRead: true } } }),
    );
    const results = answers[table.name] ?? [];
    items.push(...results.map((item) => unmarshall(item)));
    pending = left[table.name]?.Keys ?? [];
    fruitless = results.length === 0 ? fruitless + 1 : 0;
    if (fruitless > FRUITLESS_CALLS_MAX) throw new Error('DynamoDB keeps returning no items of a batch.');
    if (pending.length > 0) await sleep(Math.random() * 20 * 2 ** fruitless);
  }
  return items;
}

/**
 * Puts an item that must not exist yet; false if another one does. An identical item counts as put: the SDK repeats a
 * call whose answer was lost.
 */
export async function putNewItem(table: Table, item: Item): Promise<boolean> {
  const added = marshalled(item);
  const refused = await whenAllowed(
    table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: added,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  return refused.done || (refused.item !== undefined && isDeepStrictEqual(refused.item, unmarshall(added)));
}

type Conditional<T> = { readonly done: true; readonly result: T } | { readonly done: false; readonly item?: Item };

/** The outcome of a conditional write: its result, or the item that forbade it if the call requests that. */
export async function whenAllowed<T>(write: Promise<T>): Promise<Conditional<T>> {
  try {
    return { done: true, result: await write };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { done: false, ...(error.Item && { item: unmarshall(error.Item) }) };
  }
}

/** The outcome of a transaction: for each write why it was refused, if it was, and the item that forbade it. */
export type Transacted = { readonly done: true } | { readonly done: false; readonly refused: readonly Refused[] };
type Refused = { readonly item?: Item } | undefined;

/** Transient faults. The SDK does not retry these when they cancel a transaction. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
const MAX_REPEATS = 20;

/**
 * All of the writes or none. Conflicts with other transactions and throttles are retried after random waits, so that
 * many writers of one item all get through.
 */
export async function transact(table: Table, writes: readonly TransactWriteItem[]): Promise<Transacted> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      await table.client.send(new TransactWriteItemsCommand({ TransactItems: [...writes] }));
      return { done: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const refused = reasons.map(({ Code, Item: item }) =>
        Code === 'ConditionalCheckFailed' ? { ...(item && { item: unmarshall(item) }) } : undefined,
      );
      if (refused.some(Boolean)) return { done: false, refused };
      if (!reasons.some(({ Code = '' }) => PASSING.has(Code)) || repeats >= MAX_REPEATS) throw error;
      await sleep(Math.random() * Math.min(1_000, 20 * 2 ** repeats));
    }
  }
}

/** The order of a list. */
interface ListOrder {
  /** @default false: the newest first */
  readonly oldestFirst?: boolean;
}

/**
 * One page of a list in the index `Listing`, newest first unless asked otherwise. A cursor is good for its order alone.
 * Items in a list carry its name as `list`, and `position`, which orders it; the index is eventually consistent.
 */
export async function listItems(
  table: Table,
  list: string,
  page: PageQuery,
  { oldestFirst = false }: ListOrder = {},
): Promise<Page<Item>> {
  const order = oldestFirst ? `oldest ${list}` : list;
  const start = decodeCursor(order, page.cursor, ['pk', 'sk', 'position']);
  const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'Listing',
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: marshall({ ':list': list }),
      ScanIndexForward: oldestFirst,
      Limit: page.limit,
      ...(start && { ExclusiveStartKey: marshall({ ...start, list }) }),
    }),
  );
  const nextCursor = last && cursorAt(order, unmarshall(last));
  return { items: items.map((item) => unmarshall(item)), ...(nextCursor && { nextCursor }) };
}

interface Reading {
  readonly passes: (item: Item) => boolean;
  /** The items that one page reads at most in order to find those that pass. @default 4,000 */
  readonly readMax?: number;
  /** @default 1,000 */
  readonly perRead?: number;
}

/**
 * One page of the items of a list that pass, newest first. It may be short, or empty, and still have a next page, so that
 * a test that few items pass does not make a call slow.
 */
export async function passingItems(
  table: Table,
  list: string,
  { limit, cursor }: PageQuery,
  { passes, readMax = 4_000, perRead = 1_000 }: Reading,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let next = cursor;
  let read = 0;
  do {
    const part: Page<Item> = await listItems(table, list, { limit: perRead, ...(next && { cursor: next }) });
    for (const [index, item] of part.items.entries()) {
      if (!passes(item)) continue;
      items.push(item);
      const isLast = index === part.items.length - 1 && part.nextCursor === undefined;
      if (items.length === limit) return { items, ...(!isLast && { nextCursor: cursorAt(list, item) }) };
    }
    read += part.items.length;
    next = part.nextCursor;
  } while (next !== undefined && read < readMax);
  return { items, ...(next && { nextCursor: next }) };
}

const cursorAt = (order: string, { pk, sk, position }: Item): string =>
  encodeCursor(order, { pk: String(pk), sk: String(sk), position: String(position) });

/** One page of what is read from the items of a list, newest first. */
export async function listPage<Read>(
  table: Table,
  list: string,
  page: PageQuery,
  read: (item: Item) => Read,
): Promise<Page<Read>> {
  const { items, ...rest } = await listItems(table, list, page);
  return { ...rest, items: items.map(read) };
}

/** All items of a list, page by page, newest first unless asked otherwise. */
export async function* wholeList(table: Table, list: string, order?: ListOrder): AsyncGenerator<Item, void, undefined> {
  let page: PageQuery | undefined = { limit: 100 };
  while (page) {
    const { items, nextCursor }: Page<Item> = await listItems(table, list, page, order);
    yield* items;
    page = nextCursor === undefined ? undefined : { limit: 100, cursor: nextCursor };
  }
}

import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import { countItems, queryItems } from '#shared/table/queries.dynamodb';
import { type MergedLists, openMerged, type Placed } from '#shared/table/sharded-lists';
import { getItems, type Item, type Key, type Table } from '#shared/table/table.dynamodb';
import type { Status, Validation } from './validation.ts';
import { validationIn } from './validation-items.dynamodb.ts';
import { lists, partitionsOf, type ValidationList } from './validation-lists.ts';

/** Selects validations of a tenant: by customer, by campaign, by status, those that await a review, or all. */
export interface ValidationFilter {
  readonly customer?: string | undefined;
  /** The permalink. */
  readonly campaign?: string | undefined;
  readonly needsReview?: boolean | undefined;
  readonly status?: Status | undefined;
}

interface ListOptions {
  readonly tenant: string;
  readonly page: PageQuery;
  /** @default false, which lists the newest first */
  readonly oldestFirst?: boolean;
}

/** A page of the selected validations. The first filter that is set applies. A cursor is good for its order alone. */
export async function listValidations(
  table: Table,
  { tenant, page: { limit, cursor }, oldestFirst = false, ...filter }: ValidationFilter & ListOptions,
): Promise<Page<Validation>> {
  const list = listFor(tenant, filter);
  const order = oldestFirst ? `oldest ${list.name}` : list.name;
  const { position = oldestFirst ? '0' : '~' } = decodeCursor(order, cursor, ['position']) ?? {};
  const open = await openList(table, list, { position, limit, oldestFirst });
  const entries = await open.take(limit);
  const items = list.index === 'Campaigns' ? await wholeItems(table, entries) : entries;
  const last = entries.at(-1);
  return {
    items: items.map(validationIn),
    ...(last && !open.isOver() && { nextCursor: encodeCursor(order, { position: last.position }) }),
  };
}

interface EntriesQuery {
  /** The position after which the list is read. */
  readonly position: string;
  /** The number of entries that are expected to be taken. */
  readonly limit: number;
  readonly oldestFirst: boolean;
}

type ListEntry = Item & Placed;

/** Opens a list of validations: the entries of all its partitions, merged. The indexes are eventually consistent. */
function openList(
  table: Table,
  list: ValidationList,
  { position, limit, oldestFirst }: EntriesQuery,
): Promise<MergedLists<ListEntry>> {
  const partitions = partitionsOf(list);
  // Shards are uneven: with a few more than the share of each, a second read is seldom needed.
  const perCall = Math.ceil((limit + 1) / partitions.length) + (partitions.length > 1 ? 5 : 0);
  async function* entries(partition: string): AsyncGenerator<ListEntry, void> {
    const items = queryItems(table, {
      index: list.index,
      where: `#list = :partition AND #position ${oldestFirst ? '>' : '<'} :position`,
      names: { list: list.attribute },
      values: { partition, position },
      backwards: !oldestFirst,
      perCall,
    });
    for await (const item of items) yield { ...item, position: String(item['position']) };
  }
  return openMerged(partitions.map(entries), { oldestFirst });
}

/** The items of entries that have only their keys, in the same order. One that was erased meanwhile is left out. */
async function wholeItems(table: Table, entries: readonly Item[]): Promise<Item[]> {
  const items = await getItems(
    table,
    entries.map(({ pk, sk }): Key => ({ pk: String(pk), sk: String(sk) })),
  );
  const byKey = new Map(items.map((item) => [item['pk'], item]));
  return entries.flatMap(({ pk }) => byKey.get(pk) ?? []);
}

/** Counts the selected validations, up to `most`. */
export async function countValidations(
  table: Table,
  { tenant, most, ...filter }: ValidationFilter & { readonly tenant: string; readonly most: number },
): Promise<number> {
  const list = listFor(tenant, filter);
  const countIn = (partition: string) =>
    countItems(
      table,
      { index: list.index, where: '#list = :partition', names: { list: list.attribute }, values: { partition } },
      most,
    );
  const counts = await Promise.all(partitionsOf(list).map(countIn));
  return counts.reduce((sum, count) => Math.min(most, sum + count), 0);
}

function listFor(tenant: string, { customer, campaign, needsReview, status }: ValidationFilter): ValidationList {
  if (customer !== undefined) return lists.ofCustomer(tenant, customer);
  if (campaign !== undefined) return lists.ofCampaign(tenant, campaign);
  if (needsReview) return lists.toReview(tenant);
  if (status !== undefined) return lists.withStatus(tenant, status);
  return lists.ofTenant(tenant);
}

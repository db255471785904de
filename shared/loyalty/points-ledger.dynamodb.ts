import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { queryPage } from '#shared/table/queries.dynamodb';
import { getItems, type Key, listPage, readItem, type Table } from '#shared/table/table.dynamodb';
import { deleteWrite, EXISTS, IS_NEW, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { CHECK_INS, POINTS } from './customer.ts';

/** One entry of a customer's ledger. */
export interface PointsEntry {
  readonly tenant: string;
  readonly customer: string;
  /** The id of what earned the points. It is entered only once. */
  readonly id: string;
  /** An integer, possibly 0. */
  readonly points: number;
  readonly source: 'check-in' | 'image-validation';
  /** The time as ISO 8601. */
  readonly at: string;
  /**
   * The details of the entry. They should be short: an entry of up to 1 KB costs one write unit, and two in a
   * transaction.
   */
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

const partition = ({ tenant, id }: TenantKey) => `${POINTS}${tenant}#${id}`;
export const balanceKey = (customer: TenantKey): Key => ({ pk: partition(customer), sk: 'BALANCE' });
const Balance = z.object({ pk: z.string(), points: z.int() });
const ENTRY = 'ENTRY#';
const Entry = z.object({
  sk: z.string(),
  id: z.string(),
  points: z.int(),
  source: z.enum(['check-in', 'image-validation']),
  at: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/**
 * Transaction items that enter points into the ledger and add them to the balance. The first of them is refused if the
 * ledger already has the entry.
 */
export const pointsWrites = (tableName: string, entry: PointsEntry): TransactWriteItem[] =>
  entriesWrites(tableName, [entry]);

/** The transaction items for several entries of one customer, with one change of the balance. */
export function entriesWrites(tableName: string, entries: readonly PointsEntry[]): TransactWriteItem[] {
  const [first] = entries;
  if (!first) return [];
  const key = { tenant: first.tenant, id: first.customer };
  const isSame = entries.every(({ tenant, customer }) => tenant === key.tenant && customer === key.id);
  if (!isSame) throw new Error('Entries of several customers change several balances.');
  const sum = entries.reduce((points, entry) => points + entry.points, 0);
  return [
    ...entries.map((entry) => entryWrite(tableName, entry)),
    balanceWrite(tableName, key, { points: sum, entries: entries.length }),
  ];
}

/**
 * Transaction items that remove entries from a customer's ledger and their points from the balance. They are refused if
 * an entry is missing.
 */
export function removedEntriesWrites(
  tableName: string,
  customer: TenantKey,
  entries: readonly Pick<StoredEntry, 'position' | 'points'>[],
): TransactWriteItem[] {
  const sum = entries.reduce((points, entry) => points + entry.points, 0);
  return [
    ...entries.map(({ position }) =>
      deleteWrite(tableName, { pk: partition(customer), sk: `${ENTRY}${position}` }, EXISTS),
    ),
    balanceWrite(tableName, customer, { points: -sum, entries: -entries.length }),
  ];
}

const balanceWrite = (
  tableName: string,
  customer: TenantKey,
  values: { readonly points: number; readonly entries: number },
): TransactWriteItem =>
  updateWrite(tableName, balanceKey(customer), { change: 'ADD #points :points, #entries :entries', values });

function entryWrite(tableName: string, entry: PointsEntry): TransactWriteItem {
  const { tenant, customer, id, points, source, at, details } = entry;
  if (!Number.isSafeInteger(points)) throw new Error(`${points} is not a valid number of points.`);
  const pk = partition({ tenant, id: customer });
  const item = { pk, sk: `${ENTRY}${at}#${id}`, id, points, source, at, details, ...listedAs(entry) };
  return putWrite(tableName, item, IS_NEW);
}

/** A check-in is also in the list of its place, which spans the ledgers of all customers. */
function listedAs({ tenant, source, id, at, details: { place } }: PointsEntry): object {
  return source === 'check-in' && typeof place === 'string'
    ? { list: checkInList(tenant, place), position: `${at}#${id}` }
    : {};
}

const checkInList = (tenant: string, place: string) => `${CHECK_INS}${tenant}#${place}`;

/**
 * A page of the check-ins at a place, newest first, each with its customer (eventually consistent).
 * @param table the accounts table
 */
export function placeEntries(
  table: Table,
  { tenant, id }: TenantKey,
  page: PageQuery,
): Promise<Page<Omit<StoredEntry, 'position'> & { readonly customer: string }>> {
  const ledgers = partition({ tenant, id: '' });
  return listPage(table, checkInList(tenant, id), page, (item) => {
    const { sk: _, ...entry } = Entry.parse(item);
    return { ...entry, customer: String(item['pk']).slice(ledgers.length) };
  });
}

/**
 * The sum of the ledger (strongly consistent).
 * @param table the accounts table
 */
export async function balanceOf(table: Table, customer: TenantKey): Promise<number> {
  return (await readItem(table, balanceKey(customer), (item) => Balance.parse(item).points)) ?? 0;
}

/** The sums of several ledgers, in the order of their customers, who must differ. */
export async function balancesOf(table: Table, customers: readonly TenantKey[]): Promise<number[]> {
  const items = await getItems(table, customers.map(balanceKey));
  const points = new Map(items.map((item) => Balance.parse(item)).map((balance) => [balance.pk, balance.points]));
  return customers.map((customer) => points.get(partition(customer)) ?? 0);
}

/** An entry in the ledger, with its position there. */
export type StoredEntry = Omit<PointsEntry, 'tenant' | 'customer'> & { readonly position: string };

interface Reading {
  readonly limit: number;
  /** The position of the last entry that was read; absent for the first page. */
  readonly after: string | undefined;
}

/**
 * Entries of a ledger, newest first (strongly consistent), and whether more may follow.
 * @param table the accounts table
 */
export async function ledgerEntries(
  table: Table,
  customer: TenantKey,
  { limit, after }: Reading,
): Promise<{ readonly entries: readonly StoredEntry[]; readonly hasMore: boolean }> {
  const pk = partition(customer);
  const { items, last } = await queryPage(table, {
    where: 'pk = :pk AND begins_with(sk, :entry)',
    values: { pk, entry: ENTRY },
    backwards: true,
    limit,
    after: after === undefined ? undefined : { pk, sk: `${ENTRY}${after}` },
  });
  const entries = items.map((item) => {
    const { sk, ...entry } = Entry.parse(item);
    return { ...entry, position: sk.slice(ENTRY.length) };
  });
  return { entries, hasMore: last !== undefined };
}

import { QueryCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItem, getItems, type Key, marshalled, type Table } from '#shared/table.dynamodb';
import { POINTS } from './customer.ts';

/** One entry of a customer's ledger. */
export interface PointsEntry {
  readonly tenant: string;
  readonly customer: string;
  /** Of what earned the points, which is entered once. */
  readonly id: string;
  /** An integer; may be 0. */
  readonly points: number;
  readonly source: 'check-in' | 'image-validation';
  /** ISO 8601. */
  readonly at: string;
  /** What the entry is about. Short: an entry of up to 1 KB costs one write unit, and in a transaction two. */
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
 * Enters points into the ledger and adds them to the balance, as a part of the transaction of what earns them. The
 * transaction is refused by the first of these writes if the ledger has the entry already.
 */
export const pointsWrites = (tableName: string, entry: PointsEntry): TransactWriteItem[] =>
  entriesWrites(tableName, [entry]);

/** The same for several entries of one customer, which change the balance together. */
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
 * Takes entries out of the ledger of a customer, and their points from the balance: the opposite of `entriesWrites`. The
 * transaction is refused if one of them is not there.
 */
export function leavingWrites(
  tableName: string,
  customer: TenantKey,
  entries: readonly Pick<StoredEntry, 'position' | 'points'>[],
): TransactWriteItem[] {
  const sum = entries.reduce((points, entry) => points + entry.points, 0);
  return [
    ...entries.map(({ position }) => ({
      Delete: {
        TableName: tableName,
        Key: marshalled({ pk: partition(customer), sk: `${ENTRY}${position}` }),
        ConditionExpression: 'attribute_exists(pk)',
      },
    })),
    balanceWrite(tableName, customer, { points: -sum, entries: -entries.length }),
  ];
}

function balanceWrite(
  tableName: string,
  customer: TenantKey,
  { points, entries }: { readonly points: number; readonly entries: number },
): TransactWriteItem {
  return {
    Update: {
      TableName: tableName,
      Key: marshalled(balanceKey(customer)),
      UpdateExpression: 'ADD #points :points, #entries :count',
      ExpressionAttributeNames: { '#points': 'points', '#entries': 'entries' },
      ExpressionAttributeValues: marshalled({ ':points': points, ':count': entries }),
    },
  };
}

function entryWrite(tableName: string, entry: PointsEntry): TransactWriteItem {
  const { tenant, customer, id, points, source, at, details } = entry;
  if (!Number.isSafeInteger(points)) throw new Error(`${points} is no number of points.`);
  const pk = partition({ tenant, id: customer });
  return {
    Put: {
      TableName: tableName,
      Item: marshalled({ pk, sk: `${ENTRY}${at}#${id}`, id, points, source, at, details }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** The sum of the ledger as it is now. @param table of the accounts */
export async function balanceOf(table: Table, customer: TenantKey): Promise<number> {
  const item = await getItem(table, balanceKey(customer));
  return item ? Balance.parse(item).points : 0;
}

/** The sums of several ledgers, in the order of their customers, who must differ. */
export async function balancesOf(table: Table, customers: readonly TenantKey[]): Promise<number[]> {
  const items = await getItems(table, customers.map(balanceKey));
  const points = new Map(items.map((item) => Balance.parse(item)).map((balance) => [balance.pk, balance.points]));
  return customers.map((customer) => points.get(partition(customer)) ?? 0);
}

/** An entry as the ledger has it, and where it stands there. */
export type StoredEntry = Omit<PointsEntry, 'tenant' | 'customer'> & { readonly position: string };

interface Reading {
  readonly limit: number;
  /** The position of the last entry that was read; absent: the newest come first. */
  readonly after: string | undefined;
}

/** Entries of a ledger as it is now, newest first, and whether others may follow. @param table of the accounts */
export async function ledgerEntries(
  { client, name }: Table,
  customer: TenantKey,
  { limit, after }: Reading,
): Promise<{ readonly entries: readonly StoredEntry[]; readonly hasMore: boolean }> {
  const pk = partition(customer);
  const { Items: items = [], LastEvaluatedKey: last } = await client.send(
    new QueryCommand({
      TableName: name,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entry)',
      ExpressionAttributeValues: marshalled({ ':pk': pk, ':entry': ENTRY }),
      ScanIndexForward: false,
      Limit: limit,
      ...(after !== undefined && { ExclusiveStartKey: marshalled({ pk, sk: `${ENTRY}${after}` }) }),
    }),
  );
  const entries = items.map((item) => {
    const { sk, ...entry } = Entry.parse(unmarshall(item));
    return { ...entry, position: sk.slice(ENTRY.length) };
  });
  return { entries, hasMore: last !== undefined };
}

import type { Table } from '#shared/table/table.dynamodb';
import type { Account } from '../billing/balances/account.ts';
import { readAccount } from '../billing/balances/account-store.dynamodb.ts';
import { endedDays } from '../billing/balances/day-items.dynamodb.ts';
import type { UsedDay } from '../billing/balances/days.ts';
import { type DateRange, presentDays } from './tenant-usage.ts';

/** The number of tries. A retry is needed only across midnight. */
const TRIES_MAX = 5;

/** The days of an account in a consistent snapshot: a day that ends during the read is included once. */
export async function usedDays(table: Table, tenant: string, stored: Account, range: DateRange) {
  let account = stored;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const ended: readonly UsedDay[] = await endedDays(table, tenant, range);
    const again = await readAccount(table, tenant);
    if (again?.version === account.version) return presentDays(range, ended, again);
    account = again ?? account;
  }
  throw new Error(`The account ${tenant} changes faster than it can be read.`);
}

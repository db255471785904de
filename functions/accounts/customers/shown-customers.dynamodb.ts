import type { Page } from '#shared/http/page';
import { balanceOf, balancesOf } from '#shared/loyalty/points-ledger.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { type Customer, presentCustomer } from './manage-customers.ts';

/** The customer as the management API shows it, with the points as they are now. */
export const shownCustomer = async (table: Table, customer: Customer) =>
  presentCustomer(customer, await balanceOf(table, customer));

export async function shownCustomers(table: Table, { items, ...rest }: Page<Customer>) {
  const points = await balancesOf(table, items);
  return { items: items.map((customer, n) => presentCustomer(customer, points[n] ?? 0)), ...rest };
}

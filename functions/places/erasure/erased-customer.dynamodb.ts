import { removePartition } from '#shared/erasures/tenant-items.dynamodb';
import type { TenantKey } from '#shared/ids';
import type { Table } from '#shared/table/table.dynamodb';
import { deleteItem } from '#shared/table/writes.dynamodb';
import { listingKey } from '../check-in-rules/last-listings.dynamodb.ts';
import { standingPartition } from '../check-in-rules/standing-items.dynamodb.ts';

/** Erases where the customer was, its visits and its counts by day. It is idempotent, and may stop at any point. */
export async function erasePlacesOf(table: Table, customer: TenantKey): Promise<void> {
  await deleteItem(table, listingKey(customer));
  await removePartition(table, standingPartition(customer));
}

import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import type { Item, Key, Table } from '#shared/table/table.dynamodb';
import { putItem } from '#shared/table/writes.dynamodb';
import { LISTING } from '../table-keys.ts';
import { type LastListing, LISTING_MILLIS } from './last-listing.ts';

export const listingKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${LISTING}${tenant}#${id}`, sk: 'LISTING' });

const ListingItem = z.object({
  latitude: z.number(),
  longitude: z.number(),
  accuracy: z.optional(z.number()),
  at: z.int(),
  places: z.array(z.string()),
});
export const listingIn = (item: Item): LastListing => ListingItem.parse(item);

/** Stores the listing in place of the customer's previous one. */
export async function keepListing(table: Table, customer: TenantKey, listing: LastListing): Promise<void> {
  const ttl = Math.ceil((listing.at + LISTING_MILLIS) / 1_000);
  const isNewest = { condition: 'attribute_not_exists(pk) OR #at <= :at', values: { at: listing.at } };
  await putItem(table, { ...listingKey(customer), ...listing, ttl }, isNewest);
}

import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItems, type Item, type Key, type Table } from '#shared/table/table.dynamodb';
import { IndexedItem } from '../nearby/place-index.dynamodb.ts';
import { PLACE } from '../table-keys.ts';
import type { Place } from './place.ts';

export const placeKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${PLACE}${tenant}#${id}`, sk: 'PLACE' });

const PlaceItem = z.object({
  ...IndexedItem.shape,
  tenant: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** Undefined for the tombstone of a deleted place. */
export const placeIn = (item: Item): Place | undefined =>
  item['deleted'] === true ? undefined : PlaceItem.parse(item);

/** Reads the places with these ids, in their order (strongly consistent). Those that do not exist are left out. */
export async function placesById(table: Table, tenant: string, ids: readonly string[]): Promise<Place[]> {
  const keys = ids.map((id) => placeKey({ tenant, id }));
  const places = (await getItems(table, keys)).flatMap((item) => placeIn(item) ?? []);
  const byId = new Map(places.map((place) => [place.id, place]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

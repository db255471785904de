import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { unchangedSince } from '#shared/table/revisions.dynamodb';
import {
  type Item,
  type Key,
  listPage,
  putNewItem,
  readItem,
  type Table,
  wholeList,
} from '#shared/table/table.dynamodb';
import { deleteItem, EXISTS, putItem } from '#shared/table/writes.dynamodb';
import { placesById } from '../catalog/place-items.dynamodb.ts';
import { AD_UNIT, AD_UNITS } from '../table-keys.ts';
import type { AdUnit } from './ad-unit.ts';
import type { AdUnitDeps } from './manage-ad-units.ts';

const AdUnitItem = z.object({
  id: z.string(),
  tenant: z.string(),
  creativeId: z.int(),
  revision: z.int(),
  name: z.string(),
  placeIds: z.array(z.string()),
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const adUnitIn = (item: Item): AdUnit => AdUnitItem.parse(item);

const adUnitKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${AD_UNIT}${tenant}#${id}`, sk: 'AD_UNIT' });
const listOf = (tenant: string) => `${AD_UNITS}${tenant}`;

const itemOf = (unit: AdUnit) => ({
  ...adUnitKey(unit),
  ...unit,
  list: listOf(unit.tenant),
  position: `${unit.createdAt}#${unit.id}`,
});

export const adUnitStore = (table: Table) => ({
  add: (unit: AdUnit): Promise<boolean> => putNewItem(table, itemOf(unit)),

  byId: (key: TenantKey): Promise<AdUnit | undefined> => readItem(table, adUnitKey(key), adUnitIn),

  /** False if the ad unit has changed since `before`, or was deleted. */
  async change(unit: AdUnit, before: AdUnit): Promise<boolean> {
    return (await putItem(table, itemOf(unit), unchangedSince(before.revision))).done;
  },

  /** False if there is no such ad unit. */
  async remove(key: TenantKey): Promise<boolean> {
    return (await deleteItem(table, adUnitKey(key), EXISTS)).done;
  },

  list: (tenant: string, page: PageQuery): Promise<Page<AdUnit>> => listPage(table, listOf(tenant), page, adUnitIn),
});

/** Provides the management of ad units with this table. */
export function adUnitDeps(table: Table): AdUnitDeps & { readonly units: ReturnType<typeof adUnitStore> } {
  const creativeIds = tableIds(table);
  return {
    units: adUnitStore(table),
    existing: async (tenant, ids) => new Set((await placesById(table, tenant, ids)).map(({ id }) => id)),
    count: async (tenant) => (await adUnitsOf(table, tenant)).length,
    nextCreativeId: (tenant) => creativeIds.next(`${tenant}#creative`),
  };
}

/** All ad units of a tenant, newest first. A tenant has at most a hundred. */
export async function adUnitsOf(table: Table, tenant: string): Promise<AdUnit[]> {
  return (await Array.fromAsync(wholeList(table, listOf(tenant)))).map(adUnitIn);
}

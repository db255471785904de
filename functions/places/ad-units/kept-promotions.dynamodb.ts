import { LRUCache } from 'lru-cache';
import type { Table } from '#shared/table.dynamodb';
import { adUnitsOf } from './ad-unit-store.dynamodb.ts';
import { type Promotions, promotionsAt } from './promotions.ts';

/** A change of an ad unit, its beginning and its end show within this time. */
const KEPT_MILLIS = 10_000;
const TENANTS_MAX = 100;

/** What tenants promote, read every ten seconds at the most. */
export function keptPromotions(table: Table): (tenant: string, now: number) => Promise<Promotions> {
  const kept = new LRUCache<string, { readonly promotions: Promotions; readonly until: number }>({
    max: TENANTS_MAX,
  });
  return async (tenant, now) => {
    const found = kept.get(tenant);
    if (found && found.until > now) return found.promotions;
    const promotions = promotionsAt(await adUnitsOf(table, tenant), now);
    kept.set(tenant, { promotions, until: now + KEPT_MILLIS });
    return promotions;
  };
}

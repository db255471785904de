import { LRUCache } from 'lru-cache';
import type { Table } from '#shared/table/table.dynamodb';
import { adUnitsOf } from './ad-unit-store.dynamodb.ts';
import { type Promotions, promotionsAt } from './promotions.ts';

/** A change of an ad unit, its start and its end take effect within this time. */
const CACHE_MILLIS = 10_000;
const TENANTS_MAX = 100;

/** Caches the promotions of each tenant for ten seconds. */
export function cachedPromotions(table: Table): (tenant: string, now: number) => Promise<Promotions> {
  const cache = new LRUCache<string, { readonly promotions: Promotions; readonly until: number }>({
    max: TENANTS_MAX,
  });
  return async (tenant, now) => {
    const cached = cache.get(tenant);
    if (cached && cached.until > now) return cached.promotions;
    const promotions = promotionsAt(await adUnitsOf(table, tenant), now);
    cache.set(tenant, { promotions, until: now + CACHE_MILLIS });
    return promotions;
  };
}

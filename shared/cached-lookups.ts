import { LRUCache } from 'lru-cache';

export interface CacheOptions {
  readonly max: number;
  /** The time for which something is cached. */
  readonly millis: number;
  /** The time for which an absence is cached: only for names that cannot be guessed before the thing exists. @default 0 */
  readonly unknownMillis?: number;
}

export type CachedLookup<Known> = (
  name: string,
  now: number,
  find: () => Promise<Known | undefined>,
) => Promise<Known | undefined>;

/**
 * Looks things up by name, and remembers the answers of one function. What does not exist has a cache of its own, so that
 * invented names do not displace those that are in use.
 */
export function cachedLookups<Known extends object>({
  max,
  millis,
  unknownMillis = 0,
}: CacheOptions): CachedLookup<Known> {
  const cache = new LRUCache<string, { readonly value: Known; readonly until: number }>({ max });
  const unknown = new LRUCache<string, number>({ max });
  return async (name, now, find) => {
    const cached = cache.get(name);
    if (cached && cached.until > now) return cached.value;
    if ((unknown.get(name) ?? 0) > now) return undefined;
    const value = await find();
    if (value) cache.set(name, { value, until: now + millis });
    else {
      cache.delete(name);
      if (unknownMillis > 0) unknown.set(name, now + unknownMillis);
    }
    return value;
  };
}

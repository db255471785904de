import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { previewsKey } from '#shared/auth/preview-buckets.dynamodb';
import type { Item, Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import type { HolderDay, ShownRecords } from './limited-preview.ts';

const DayItem = z.object({ shown: z.set(z.instanceof(Uint8Array)) });

/** A day's item is needed until its day is over everywhere; DynamoDB removes it some time later. */
const RETENTION_MILLIS = 2 * 86_400_000;
const CACHED_DAYS = 200;
/**
 * The number of tries: another function may add records between the read and the write, and each time less of the limit
 * remains.
 */
const TRIES_MAX = 10;

interface AddResult {
  readonly done: boolean;
  /** The keys of the day so far. */
  readonly keys: ReadonlySet<string>;
}

/**
 * The records that were shown on a day, as a set in one item: DynamoDB adds the missing ones and compares the size of
 * the set in the same write, so the count is exact. A function caches the set, and writes only what it lacks.
 */
export function shownRecords(table: Table): ShownRecords {
  const cache = new LRUCache<string, ReadonlySet<string>>({ max: CACHED_DAYS });

  async function add({ holder, day }: HolderDay, keys: readonly string[], most: number): Promise<AddResult> {
    const outcome = await updateItem(table, previewsKey(holder, `DAY#${day}`), {
      change: 'ADD shown :keys SET #ttl = :ttl',
      condition: 'attribute_not_exists(shown) OR size(shown) <= :most',
      values: {
        keys: new Set(keys.map((key) => Buffer.from(key, 'base64url'))),
        most: most - keys.length,
        ttl: (Date.parse(day) + RETENTION_MILLIS) / 1_000,
      },
      returns: 'UPDATED_NEW',
      returnsOld: true,
    });
    const dayKeys = keysIn(outcome.item);
    cache.set(`${holder}#${day}`, dayKeys);
    return { done: outcome.done, keys: dayKeys };
  }

  return {
    async note(on, keys, most) {
      const cached = cache.get(`${on.holder}#${on.day}`) ?? new Set<string>();
      let added: AddResult = { done: false, keys: cached };
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const { keys: dayKeys } = added;
        const missing = [...new Set(keys)].filter((key) => !dayKeys.has(key));
        if (missing.length === 0) return { done: true, count: dayKeys.size };
        // The cache may lack records that another function has added since, unless the day is full.
        const room = most - (dayKeys === cached ? 0 : dayKeys.size);
        if (dayKeys.size >= most || missing.length > room) return { done: false, count: dayKeys.size };
        added = await add(on, missing, most);
        if (added.done) return { done: true, count: added.keys.size };
      }
      return { done: false, count: added.keys.size };
    },
  };
}

const keysIn = (item: Item | undefined): ReadonlySet<string> =>
  new Set(item ? [...DayItem.parse(item).shown].map((key) => Buffer.from(key).toString('base64url')) : []);

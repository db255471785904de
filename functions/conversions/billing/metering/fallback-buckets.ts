import { LRUCache } from 'lru-cache';
import { type Bucket, highestAdmitted, retryAfterSeconds } from '#shared/metering/token-bucket';
import { type Account, bucketOf } from '../balances/account.ts';

/**
 * The bucket of an account that this function has never seen has the size of the largest plan, so that nobody is
 * blocked.
 */
const UNKNOWN: Bucket = { tokenMicros: 5_000, burst: 400 };
const ACCOUNTS_MAX = 10_000;

/** One bucket per account in the memory of this function: a fallback while the shared buckets cannot be reached. */
export class FallbackBuckets {
  private readonly arrivals = new LRUCache<string, number>({ max: ACCOUNTS_MAX });

  /** Takes a token, or returns the seconds to wait. */
  take(tenant: string, item: Account | undefined, now: number): number | undefined {
    const bucket = item ? bucketOf(item) : UNKNOWN;
    const arrival = this.arrivals.get(tenant) ?? item?.arrival ?? 0;
    if (arrival > highestAdmitted(bucket, now)) return retryAfterSeconds(bucket, arrival, now);
    this.arrivals.set(tenant, Math.max(arrival, now) + bucket.tokenMicros);
    return undefined;
  }
}

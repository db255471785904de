import { LRUCache } from 'lru-cache';
import { type Bucket, highestAdmitted, retryAfterSeconds } from '#shared/metering/bucket';
import { bucketOf, type MeterItem } from '../balances/account.ts';

/** The bucket of an account that this function has never seen: that of the largest plan, so that nobody is blocked. */
const UNKNOWN: Bucket = { tokenMicros: 5_000, burst: 400 };
const ACCOUNTS_MAX = 10_000;

/** A bucket per account in this function alone: a backstop while the shared ones cannot be reached. */
export class LoneBuckets {
  private readonly arrivals = new LRUCache<string, number>({ max: ACCOUNTS_MAX });

  /** Takes a token; the seconds to wait where there is none. */
  take(tenant: string, item: MeterItem | undefined, now: number): number | undefined {
    const bucket = item ? bucketOf(item) : UNKNOWN;
    const arrival = this.arrivals.get(tenant) ?? item?.tat ?? 0;
    if (arrival > highestAdmitted(bucket, now)) return retryAfterSeconds(bucket, arrival, now);
    this.arrivals.set(tenant, Math.max(arrival, now) + bucket.tokenMicros);
    return undefined;
  }
}

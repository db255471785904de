import { LRUCache } from 'lru-cache';
import { type BucketWrite, branchFor, firstWrite, nextWrite } from './bucket-write.ts';
import { type Bucket, highestAdmitted, retryAfterSeconds } from './token-bucket.ts';

/** The buckets of a table, which all functions share. */
export interface BucketStore {
  /**
   * Takes a token with this write, or none. `arrival` is the bucket's arrival time afterwards; 0 if it was never used.
   */
  take(
    holder: string,
    bucket: Bucket,
    write: BucketWrite,
  ): Promise<{ readonly done: boolean; readonly arrival: number }>;
  /** Reads the arrival time, which may be some moments old. */
  arrivalOf(holder: string): Promise<number>;
}

export interface TokenTaken {
  readonly arrival: number;
  /** The seconds to wait, present if there was no token. */
  readonly retryAfterSeconds?: number;
}

const HOLDERS_MAX = 10_000;
/**
 * The number of writes tried for one token: the first may miss the branch, and another function may take the last token
 * before the second.
 */
const TRIES_MAX = 4;

/** Limits each holder by one bucket; all have the same size. A refusal that is certain makes no call to the table. */
export class SharedBuckets {
  readonly bucket: Bucket;
  private readonly store: BucketStore;
  /** The bucket as this function last saw it, and when. An arrival time only grows. */
  private readonly seen = new LRUCache<string, { readonly arrival: number; readonly at: number }>({ max: HOLDERS_MAX });

  constructor(store: BucketStore, bucket: Bucket) {
    this.store = store;
    this.bucket = bucket;
  }

  /** @param now microseconds */
  async take(holder: string, now: number): Promise<TokenTaken> {
    const lastArrival = this.seen.get(holder)?.arrival ?? 0;
    if (lastArrival > highestAdmitted(this.bucket, now)) return this.refused(lastArrival, now);
    let write = firstWrite(branchFor(lastArrival, now), now);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const { done, arrival } = await this.store.take(holder, this.bucket, write);
      this.seen.set(holder, { arrival, at: now });
      if (done) return { arrival };
      if (arrival > highestAdmitted(this.bucket, now)) return this.refused(arrival, now);
      write = nextWrite(arrival, write, now);
    }
    return { arrival: this.seen.get(holder)?.arrival ?? 0, retryAfterSeconds: 1 };
  }

  /** The arrival time of a holder's bucket: the one that this function has just written, or else the table's. */
  async arrivalOf(holder: string, now: number): Promise<number> {
    const seen = this.seen.get(holder);
    return seen?.at === now ? seen.arrival : this.store.arrivalOf(holder);
  }

  private readonly refused = (arrival: number, now: number): TokenTaken => ({
    arrival,
    retryAfterSeconds: retryAfterSeconds(this.bucket, arrival, now),
  });
}

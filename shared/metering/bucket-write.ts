import { type Bucket, highestAdmitted } from './token-bucket.ts';

/** The two conditions for taking a token: from a full bucket, or from one in use. DynamoDB has no maximum function. */
export type Branch = 'idle' | 'busy';

/** One conditional write that takes a token from a bucket. */
export interface BucketWrite {
  readonly branch: Branch;
  /** The time at which the bucket must have been in use, on the branch `busy`. */
  readonly since: number;
  readonly now: number;
}

export const branchFor = (arrival: number, now: number): Branch => (arrival > now ? 'busy' : 'idle');

export const firstWrite = (branch: Branch, now: number): BucketWrite => ({ branch, since: now, now });

/**
 * Returns the write to try next. A bucket that was in use where an idle one was expected counts as in use, even if it
 * has run empty since: it was in use at some time during this request, and a request may be placed at any time within
 * its own duration. Such a write cannot meet the wrong branch again, so that concurrent functions do not keep finding
 * the bucket in the other state, and a caller below its rate is not refused.
 * @param arrival of the bucket that refused the last write
 */
export function nextWrite(arrival: number, { branch, now: before }: BucketWrite, now: number): BucketWrite {
  if (branch === 'idle' && arrival > before) return { branch: 'busy', since: Math.min(now, arrival - 1), now };
  return firstWrite(branchFor(arrival, now), now);
}

/** The write as DynamoDB input. `tat` is the attribute of the arrival time. */
export function bucketExpressions({ branch, since, now }: BucketWrite, bucket: Bucket) {
  const { tokenMicros } = bucket;
  return branch === 'idle'
    ? { change: 'tat = :next', condition: 'tat <= :now', values: { ':now': now, ':next': now + tokenMicros } }
    : {
        change: 'tat = tat + :token',
        condition: 'tat > :since AND tat <= :highest',
        values: { ':token': tokenMicros, ':since': since, ':highest': highestAdmitted(bucket, now) },
      };
}

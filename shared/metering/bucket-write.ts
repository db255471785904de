import { type Bucket, highestAdmitted } from './bucket.ts';

/** The two ways to take a token: of a bucket that is full, or of one in use. DynamoDB knows no maximum. */
export type Branch = 'idle' | 'busy';

/** One conditional write that takes a token from a bucket. */
export interface BucketWrite {
  readonly branch: Branch;
  /** On the branch `busy`: the time at which the bucket must have been in use. */
  readonly since: number;
  readonly now: number;
}

export const branchFor = (arrival: number, now: number): Branch => (arrival > now ? 'busy' : 'idle');

export const firstWrite = (branch: Branch, now: number): BucketWrite => ({ branch, since: now, now });

/**
 * The write to try next. A bucket that was found in use where an idle one was expected counts as in use, even if it has
 * run out since: at some time while this request is under way it was, and a request may be placed at any time while it is
 * under way. Such a write cannot meet the wrong branch again, so that functions do not take it in turns to find the bucket
 * the other way, and a caller below its rate is not refused.
 *
 * @param arrival of the bucket that refused the last write
 */
export function nextWrite(arrival: number, { branch, now: before }: BucketWrite, now: number): BucketWrite {
  if (branch === 'idle' && arrival > before) return { branch: 'busy', since: Math.min(now, arrival - 1), now };
  return firstWrite(branchFor(arrival, now), now);
}

/** The write as DynamoDB takes it: `tat` is the attribute of the arrival time. */
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

import type { Identity } from '#shared/auth/management-caller';
import { MANAGEMENT_RATE } from '#shared/auth/management-key';
import { burstHeaders } from '#shared/metering/rate-headers';
import { SharedBuckets } from '#shared/metering/shared-buckets';
import { bucketStore } from '#shared/metering/shared-buckets.dynamodb';
import { type Bucket, microsOf } from '#shared/metering/token-bucket';
import type { Table } from '#shared/table/table.dynamodb';
import { log, tenantIn } from '#shared/telemetry/log';

/** A tenant, with all its people and keys, may make 100 calls per second (one per 10,000 µs), and 400 at once. */
const BUCKET: Bucket = { tokenMicros: 10_000, burst: 400 };

/** @param table the table of the domain accounts, which has a bucket for each tenant */
export const managementBuckets = (table: Table): SharedBuckets =>
  new SharedBuckets(
    bucketStore(table, (tenant) => ({ pk: `${MANAGEMENT_RATE}${tenant}`, sk: 'BUCKET' })),
    BUCKET,
  );

/** Operators without a tenant share this bucket. No tenant has this id. */
const OPERATORS = '-operators';

/**
 * Takes a token from the caller's bucket. Returns the identity with the rate-limit headers, or `limited` if the bucket is
 * empty. If the table fails, the call is admitted without a limit.
 */
export async function withinRate(buckets: SharedBuckets, identity: Identity, millis: number): Promise<Identity> {
  if (!('tenant' in identity)) return identity;
  const now = microsOf(millis);
  try {
    const { arrival, retryAfterSeconds } = await buckets.take(identity.tenant || OPERATORS, now);
    const rate = burstHeaders({ bucket: buckets.bucket, arrival, now, retryAfterSeconds });
    return retryAfterSeconds === undefined ? { ...identity, rate } : { limited: true, rate };
  } catch (error) {
    log.warn('calls not limited', { error, ...tenantIn(identity) });
    return identity;
  }
}

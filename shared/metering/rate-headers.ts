import { type Bucket, secondsUntilFull, tokensLeft } from './bucket.ts';

export type Headers = Readonly<Record<string, string>>;

/** What a caller has in its bucket. */
export interface BucketStanding {
  readonly bucket: Bucket;
  readonly arrival: number;
  /** Microseconds. */
  readonly now: number;
  /** On a refusal for the rate: when to come back. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Headers of the bucket: those of the specification (001, section 4), and the same as structured fields
 * (draft-ietf-httpapi-ratelimit-headers-11).
 */
export function burstHeaders({ bucket, arrival, now, retryAfterSeconds }: BucketStanding): RateHeaders {
  const left = retryAfterSeconds === undefined ? tokensLeft(bucket, arrival, now) : 0;
  const reset = retryAfterSeconds ?? secondsUntilFull(arrival, now);
  const window = Math.ceil((bucket.tokenMicros * bucket.burst) / 1_000_000);
  return {
    'ratelimit-limit': String(bucket.burst),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(reset),
    'ratelimit-policy': `"burst";q=${bucket.burst};w=${window}`,
    ratelimit: `"burst";r=${left};t=${reset}`,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
}

export type RateHeaders = Headers & { readonly 'ratelimit-policy': string; readonly ratelimit: string };

/** The headers with one more policy in their structured fields. */
export const withPolicy = (
  headers: RateHeaders,
  { policy, state }: { readonly policy: string; readonly state: string },
): RateHeaders => ({
  ...headers,
  'ratelimit-policy': `${headers['ratelimit-policy']}, ${policy}`,
  ratelimit: `${headers.ratelimit}, ${state}`,
});

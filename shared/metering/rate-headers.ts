import { type Bucket, secondsUntilFull, tokensLeft } from './token-bucket.ts';

export type Headers = Readonly<Record<string, string>>;

/** The headers of an interface with a bucket, each with what it says. */
export const RATE_HEADERS: Headers = {
  'RateLimit-Limit': 'Tokens of the bucket: the calls that it admits at once.',
  'RateLimit-Remaining': 'Tokens that are left.',
  'RateLimit-Reset': 'Seconds until the bucket is full; of a refused call, until it can be repeated.',
  'RateLimit-Policy': 'The limits, as a structured field (draft-ietf-httpapi-ratelimit-headers-11).',
  RateLimit: 'What is left of them, as a structured field.',
};

/** The state of a caller's bucket. */
export interface BucketStanding {
  readonly bucket: Bucket;
  readonly arrival: number;
  /** Microseconds. */
  readonly now: number;
  /** The seconds to wait, set when the request is refused for its rate. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * The headers of the bucket: the RateLimit headers of the specification, and the same values as structured fields
 * (draft-ietf-httpapi-ratelimit-headers-11).
 */
export function burstHeaders({ bucket, arrival, now, retryAfterSeconds }: BucketStanding): RateHeaders {
  const remaining = retryAfterSeconds === undefined ? tokensLeft(bucket, arrival, now) : 0;
  const reset = retryAfterSeconds ?? secondsUntilFull(arrival, now);
  const window = Math.ceil((bucket.tokenMicros * bucket.burst) / 1_000_000);
  return {
    'ratelimit-limit': String(bucket.burst),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
    'ratelimit-policy': `"burst";q=${bucket.burst};w=${window}`,
    ratelimit: `"burst";r=${remaining};t=${reset}`,
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

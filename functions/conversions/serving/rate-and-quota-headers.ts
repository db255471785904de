import { burstHeaders, type Headers, withPolicy } from '#shared/metering/rate-headers';
import { type Account, bucketOf, type Mode, quotaOf, subscriptionOf } from '../billing/balances/account.ts';
import { isPaid, UNLIMITED } from '../billing/subscriptions/subscription.ts';

/** The state of a caller's rate and quota. */
export interface Standing {
  readonly item: Account;
  readonly mode: Mode;
  /** Microseconds. */
  readonly now: number;
  /** The seconds to wait, set when the request is refused for its rate. */
  readonly retryAfterSeconds?: number;
  /** The quota, on metered routes. */
  readonly quota?: {
    /** The conversion that this request has taken in `item`; the remainder is stated without it. */
    readonly taken: 0 | 1;
    /** The final cost of the request. */
    readonly cost: 0 | 1;
  };
}

/**
 * The headers of every authenticated answer: the RateLimit and quota headers of the specification, and the same values
 * as structured fields (draft-ietf-httpapi-ratelimit-headers-11).
 */
export function rateHeaders(standing: Standing): Headers {
  const { item, now, retryAfterSeconds } = standing;
  const burst = burstHeaders({ bucket: bucketOf(item), arrival: item.arrival, now, retryAfterSeconds });
  const quota = standing.quota && quotaFields(standing, standing.quota);
  return quota ? { ...withPolicy(burst, quota), ...quota.headers } : burst;
}

/** The count before the current request, never below zero (README, "Headers"). */
function quotaFields({ item, mode, now }: Standing, { taken, cost }: NonNullable<Standing['quota']>) {
  const { included, hardLimit, used } = quotaOf(item, mode);
  const before = Math.max(0, used - taken);
  const remaining = Math.max(0, included - before);
  // The test pool has no window: it is never refilled.
  const window = mode === 'test' ? '' : `;w=${Math.round((item.periodEnd - item.periodStart) / 1_000_000)}`;
  const reset = mode === 'test' ? '' : `;t=${Math.max(0, Math.ceil((item.periodEnd - now) / 1_000_000))}`;
  return {
    policy: `"quota";q=${included}${window}`,
    state: `"quota";r=${remaining}${reset}`,
    headers: {
      'x-quota-limit': String(included),
      'x-quota-remaining': String(remaining),
      'x-quota-cost': String(cost),
      ...(mode === 'live' &&
        isPaid(subscriptionOf(item)) &&
        overageHeaders({ included, hardLimit, used: before + cost })),
    },
  };
}

/** The overage after the request, without conversions that are given back. */
const overageHeaders = ({ included, hardLimit, used }: ReturnType<typeof quotaOf>) => ({
  'x-quota-overage': String(Math.max(0, used - included)),
  ...(hardLimit < UNLIMITED && { 'x-quota-hard-limit': String(hardLimit) }),
});

import { burstHeaders, type Headers, withPolicy } from '#shared/metering/rate-headers';
import { bucketOf, type MeterItem, type Mode, quotaOf, subscriptionOf } from '../billing/balances/account.ts';
import { isPaid, NO_END } from '../billing/subscriptions/subscription.ts';

/** What a caller is told of its limits. */
export interface Standing {
  readonly item: MeterItem;
  readonly mode: Mode;
  /** Microseconds. */
  readonly now: number;
  /** On a refusal for the rate: when to come back. */
  readonly retryAfterSeconds?: number;
  /** On metered routes. */
  readonly quota?: {
    /** What this request has taken in `item`: the remainder is told without it. */
    readonly taken: 0 | 1;
    /** What it costs in the end. */
    readonly cost: 0 | 1;
  };
}

/**
 * Headers of every authenticated answer: those of the specification (001, section 4), and the same as structured fields
 * (draft-ietf-httpapi-ratelimit-headers-11).
 */
export function rateHeaders(standing: Standing): Headers {
  const { item, now, retryAfterSeconds } = standing;
  const burst = burstHeaders({ bucket: bucketOf(item), arrival: item.tat, now, retryAfterSeconds });
  const quota = standing.quota && quotaFields(standing, standing.quota);
  return quota ? { ...withPolicy(burst, quota), ...quota.headers } : burst;
}

/** The count before the current request, never below zero (specification 001, section 8). */
function quotaFields({ item, mode, now }: Standing, { taken, cost }: NonNullable<Standing['quota']>) {
  const { included, most, used } = quotaOf(item, mode);
  const before = Math.max(0, used - taken);
  const remaining = Math.max(0, included - before);
  // The test pool has no window: it never comes back.
  const window = mode === 'test' ? '' : `;w=${Math.round((item.pe - item.ps) / 1_000_000)}`;
  const reset = mode === 'test' ? '' : `;t=${Math.max(0, Math.ceil((item.pe - now) / 1_000_000))}`;
  return {
    policy: `"quota";q=${included}${window}`,
    state: `"quota";r=${remaining}${reset}`,
    headers: {
      'x-quota-limit': String(included),
      'x-quota-remaining': String(remaining),
      'x-quota-cost': String(cost),
      ...(mode === 'live' && isPaid(subscriptionOf(item)) && overageHeaders({ included, most, used: before + cost })),
    },
  };
}

/** After the request, without what is given back. */
const overageHeaders = ({ included, most, used }: ReturnType<typeof quotaOf>) => ({
  'x-quota-overage': String(Math.max(0, used - included)),
  ...(most < NO_END && { 'x-quota-hard-limit': String(most) }),
});

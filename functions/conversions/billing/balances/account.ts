import type { Bucket } from '#shared/metering/token-bucket';
import type { Subscription } from '../subscriptions/subscription.ts';

export type Mode = 'live' | 'test';

/** Size of the test pool, for the lifetime of an account (README, "Plans"). */
export const TEST_POOL = 250;

/** A key or an OAuth client within the account's item, as the meter checks it. */
export interface InlineCredential {
  readonly mode: Mode;
  readonly state: 'active' | 'revoked';
  readonly hash: string;
}

/**
 * The account of a tenant: its bucket, limits, counters, credentials and subscription. Times are whole microseconds. The
 * counters of periods are members of their own, named by `counterOf`.
 */
export interface Account {
  /** Arrival time of the bucket (README, "Words"). */
  readonly arrival: number;
  /** Grows with every change of limits. Each conditional write of the meter names the version that it was made for. */
  readonly version: number;
  /** The microseconds in which one token is refilled, and the size of the bucket in tokens. */
  readonly tokenMicros: number;
  readonly burst: number;
  /** The period of the live quota. */
  readonly periodId: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  /** The time until which the limits apply. */
  readonly validUntil: number;
  /** The live conversions that the plan includes in the period: the quota. Those beyond it are overage. */
  readonly included: number;
  /** The number of live conversions in the period after which every call is refused. */
  readonly hardLimit: number;
  /** The size of the test pool, and the conversions that it has counted. */
  readonly testQuota: number;
  readonly testUsed: number;
  /** Live conversions over the life of the account, in all periods. Absent until days are counted. */
  readonly liveTotal?: number | undefined;
  /**
   * The totals at the beginning of the UTC day that this account counts, which is the day on which its limits end. Absent
   * until days are counted.
   */
  readonly liveTotalAtDayStart?: number | undefined;
  readonly testUsedAtDayStart?: number | undefined;
  /** Credentials by id, at most `INLINE_MAX`. */
  readonly credentials: Readonly<Record<string, InlineCredential>>;
  /** The highest announced threshold of a period with its included conversions, and that of the test pool. */
  readonly announcedThreshold?:
    | { readonly periodId: string; readonly included: number; readonly percent: number }
    | undefined;
  readonly announcedTestPercent?: number | undefined;
  readonly subscription: Omit<Subscription, 'period'>;
  readonly [counter: string]: unknown;
}

/** Credentials beyond these are items of their own, which the meter reads and caches for half a minute. */
export const INLINE_MAX = 12;

/** The counter of a period. Its name contains the period, so that a late refund cannot reach another one. */
export const counterOf = (period: string): string => `q_${period}`;

/** The counter of the test pool. */
export const TEST_COUNTER = 'testUsed' satisfies keyof Account;

/** The conversions counted in a period: 0 once the account no longer has its counter. */
export function usageIn(item: Account, period: string = item.periodId): number {
  const count = item[counterOf(period)];
  return typeof count === 'number' ? count : 0;
}

export const bucketOf = ({ tokenMicros, burst }: Pick<Account, 'tokenMicros' | 'burst'>): Bucket => ({
  tokenMicros,
  burst,
});

export const subscriptionOf = ({ subscription, periodId, periodStart, periodEnd }: Account): Subscription => ({
  ...subscription,
  period: { id: periodId, start: periodStart / 1_000, end: periodEnd / 1_000 },
});

/** The quota of a mode, and its use. */
export interface Quota {
  /** The conversions that the quota includes. Those beyond it are overage. */
  readonly included: number;
  /** The number of conversions after which every call is refused: with overage, above `included`. */
  readonly hardLimit: number;
  readonly used: number;
}

/** Returns the quota of a mode. `metering/admission.ts` refuses calls at `hardLimit`; those beyond `included` are overage. */
export const quotaOf = (item: Account, mode: Mode): Quota =>
  mode === 'test'
    ? { included: item.testQuota, hardLimit: item.testQuota, used: item.testUsed }
    : { included: item.included, hardLimit: item.hardLimit, used: usageIn(item) };

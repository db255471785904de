import * as z from 'zod/mini';
import type { Bucket } from '#shared/metering/bucket';
import type { Subscription } from '../subscriptions/subscription.ts';

export type Mode = 'live' | 'test';

/** Size of the test pool, for the lifetime of an account (README, "Plans"). */
export const TEST_POOL = 250;

/** A key or an OAuth client, as the meter checks it. */
const Credential = z.object({ m: z.enum(['L', 'T']), s: z.enum(['A', 'R']), h: z.string() });
export type InlineCredential = z.output<typeof Credential>;

const SubscriptionFacts = z.object({
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  state: z.enum(['free', 'active', 'scale_intro', 'scale_full', 'scale_dunning', 'scale_blocked']),
  currency: z.enum(['USD', 'EUR', 'GBP']),
  anchor: z.optional(z.int()),
  next: z.optional(z.object({ plan: z.enum(['free', 'starter', 'growth', 'scale']), at: z.int() })),
  capMicros: z.optional(z.int()),
  peakCap: z.optional(z.object({ period: z.string(), micros: z.int() })),
  paymentMethod: z.optional(z.enum(['ach', 'sepa', 'bacs', 'card'])),
  hasPaidScale: z.boolean(),
  settledAt: z.optional(z.int()),
  failures: z.array(z.int()),
});

/**
 * The one item that the meter reads and writes for an account. Names are short, because a write is billed by the
 * kilobyte and the item must stay below one. Times are whole microseconds.
 */
export const MeterItem = z.looseObject({
  /** Arrival time of the bucket. */
  tat: z.int(),
  /** Grows with every change of limits: the conditions of the meter name the one that they were made for. */
  pv: z.int(),
  /** Microseconds of a token, and tokens of the bucket. */
  T: z.int(),
  B: z.int(),
  /** The period: its id, start and end, and until when the limits of this item are right. */
  per: z.string(),
  ps: z.int(),
  pe: z.int(),
  vu: z.int(),
  /** Live conversions that are included, and after which all are refused. */
  inc: z.int(),
  lim: z.int(),
  /** The test pool and what is used of it. */
  tq: z.int(),
  tu: z.int(),
  /**
   * Live conversions over the life of the account, whatever period counts them; and those, and what is used of the test
   * pool, when the UTC day began that this item counts. It counts the day that its limits end on. Absent in an item from
   * before days were counted, until its next step.
   */
  lu: z.optional(z.int()),
  ld: z.optional(z.int()),
  td: z.optional(z.int()),
  /** Credentials by id, at most `INLINE_MAX`. */
  ks: z.record(z.string(), Credential),
  /** The highest threshold announced of a period and of what it included then, and of the test pool. */
  th: z.optional(z.object({ per: z.string(), inc: z.int(), percent: z.int() })),
  tt: z.optional(z.int()),
  sub: SubscriptionFacts,
});
export type MeterItem = z.output<typeof MeterItem>;

/** Credentials beyond these are items of their own, which the meter reads and keeps for half a minute. */
export const INLINE_MAX = 12;

/** The attribute that counts a period. Its name holds the period, so that a late refund cannot reach another one. */
export const counterOf = (period: string): string => `q_${period}`;

/** The attribute that counts the test pool. */
export const TEST_COUNTER = 'tu';

/** The attribute that counts live conversions over the life of the account. */
export const LIFE_COUNTER = 'lu';

/** The usage of a period that this item still counts. */
export function used(item: MeterItem, period: string = item.per): number {
  const count = item[counterOf(period)];
  return typeof count === 'number' ? count : 0;
}

export const bucketOf = ({ T, B }: Pick<MeterItem, 'T' | 'B'>): Bucket => ({ tokenMicros: T, burst: B });

export const subscriptionOf = ({ sub, per, ps, pe }: MeterItem): Subscription => ({
  ...sub,
  period: { id: per, start: ps / 1_000, end: pe / 1_000 },
});

/** The quota of a mode: its limit, its usage, and the conversions included before overage. */
export interface Quota {
  readonly included: number;
  /** The number of conversions after which every call is refused. */
  readonly most: number;
  readonly used: number;
}

export const quotaOf = (item: MeterItem, mode: Mode): Quota =>
  mode === 'test'
    ? { included: item.tq, most: item.tq, used: item.tu }
    : { included: item.inc, most: item.lim, used: used(item) };

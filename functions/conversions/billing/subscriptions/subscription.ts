import { billingPeriodOf, monthOf, type Period } from './period.ts';
import { type Currency, type PaymentMethod, type Plan, type PlanName, planOf } from './plan.ts';

export const STATES = ['free', 'active', 'scale_intro', 'scale_full', 'scale_dunning', 'scale_blocked'] as const;
export type State = (typeof STATES)[number];

/** The state of one payment. Each member only ever changes in one direction, so the order of events does not matter. */
export interface Payment {
  readonly id: string;
  /** The time of its latest event, as the provider states it. */
  readonly at: number;
  readonly settled: boolean;
}

/**
 * The booked plan of an account and its payments. All steps on it are pure: they compute the next subscription from
 * this one and a time.
 */
export interface Subscription {
  readonly plan: PlanName;
  readonly state: State;
  readonly currency: Currency;
  readonly period: Period;
  /** Start of the first paid period, the anchor of all later ones. Absent on Free. */
  readonly anchor?: number;
  /** A downgrade, which waits for the end of the paid period. */
  readonly next?: { readonly plan: PlanName; readonly at: number };
  /** The highest cost of overage in a period, in micro-units; 0 allows no overage. Absent: no limit. */
  readonly capMicros?: number;
  /** The highest cap of a period in which it was lowered; `UNLIMITED` if there was none. */
  readonly peakCap?: { readonly period: string; readonly micros: number };
  readonly paymentMethod?: PaymentMethod;
  /** True once a payment for Scale has settled. */
  readonly hasPaidScale: boolean;
  /** The time of the last settlement since Scale was booked. */
  readonly settledAt?: number;
  /** The times of failed payments after that, in ascending order: the grace period begins with the first. */
  readonly failures: readonly number[];
}

/** The limits that the meter enforces. */
export interface Limits {
  /** Microseconds that a token takes to come back. */
  readonly tokenMicros: number;
  readonly burst: number;
  readonly included: number;
  /** The number of live conversions in a period after which every call is refused. */
  readonly hardLimit: number;
}

/** A limit above any possible use: the plan is unlimited. */
export const UNLIMITED = 9_000_000_000_000_000;

/** The grace period for a missing later payment for Scale. */
export const GRACE_PERIOD_MILLIS = 14 * 86_400_000;

export const newSubscription = (currency: Currency, now: number): Subscription => ({
  plan: 'free',
  state: 'free',
  currency,
  period: monthOf(now),
  hasPaidScale: false,
  failures: [],
});

/** While nothing is billed the currency follows the tenant's, and a bank debit of another currency is removed. */
export function inCurrency(subscription: Subscription, currency: Currency): Subscription {
  if (subscription.state !== 'free' || subscription.currency === currency) return subscription;
  const { paymentMethod, ...rest } = subscription;
  return { ...rest, currency, ...(paymentMethod === 'card' && { paymentMethod }) };
}

/** The plan whose limits apply: Growth before Scale is paid, Free after failed payments. */
function limitingPlan({ plan, state }: Subscription): Plan {
  if (state === 'scale_intro') return planOf('growth');
  return planOf(state === 'scale_blocked' ? 'free' : plan);
}

/** Price of a conversion beyond the included ones: that of the booked plan, whatever limits apply. */
const overageMicrosOf = ({ plan, state }: Subscription): number | undefined =>
  state === 'scale_blocked' ? undefined : planOf(plan).overageMicros;

/** The limits of a plan: rate, the conversions that it includes, and those at which calls are refused (with a cap, sooner). */
export function limitsOf(subscription: Subscription): Limits {
  const { included, ratePerSecond, burst } = limitingPlan(subscription);
  return {
    tokenMicros: Math.ceil(1_000_000 / ratePerSecond),
    burst,
    included,
    hardLimit: hardLimitWith(subscription.capMicros, subscription),
  };
}

function hardLimitWith(capMicros: number = UNLIMITED, subscription: Subscription): number {
  const { included } = limitingPlan(subscription);
  const price = overageMicrosOf(subscription);
  if (price === undefined) return included;
  return capMicros >= UNLIMITED ? UNLIMITED : Math.min(UNLIMITED, included + Math.floor(capMicros / price));
}

/** The highest cap that was in force in this period: usage under it is billed even after it was lowered. */
const highestCap = ({ capMicros = UNLIMITED, peakCap, period }: Subscription): number =>
  peakCap?.period === period.id ? peakCap.micros : capMicros;

/** The subscription with another cap, or without one, from now on. */
export function withCap(subscription: Subscription, capMicros: number | undefined): Subscription {
  const { capMicros: _cap, peakCap: _peak, ...rest } = subscription;
  const peak = highestCap(subscription);
  return {
    ...rest,
    ...(capMicros !== undefined && { capMicros }),
    ...(peak > (capMicros ?? UNLIMITED) && { peakCap: { period: subscription.period.id, micros: peak } }),
  };
}

/**
 * The next time at which something changes by itself: the end of the period, a downgrade, or the end of the grace
 * period.
 */
export function validUntil({ period, next, ...payments }: Subscription): number {
  return Math.min(
    period.end,
    next?.at ?? Number.POSITIVE_INFINITY,
    gracePeriodEnd(payments) ?? Number.POSITIVE_INFINITY,
  );
}

/** The time at which limits fall to those of Free unless a payment settles. */
function gracePeriodEnd({ state, failures: [first] }: Pick<Subscription, 'state' | 'failures'>): number | undefined {
  const waits = state === 'scale_dunning' || state === 'scale_intro';
  return waits && first !== undefined ? first + GRACE_PERIOD_MILLIS : undefined;
}

/** A paid period that has ended, in its final state, from which its invoice is made. */
export interface ClosedPeriod {
  readonly period: Period;
  readonly plan: PlanName;
  readonly currency: Currency;
  readonly included: number;
  /** The number of conversions after which no further ones are billed: the highest hard limit of the period. */
  readonly billedLimit: number;
  readonly overageMicros: number;
  /** The price of the next period, paid in advance; absent if none follows. */
  readonly nextFlat?: { readonly plan: PlanName; readonly micros: number };
}

/** A subscription, and the paid periods that ended on the way to it. */
export interface AdvanceResult {
  readonly subscription: Subscription;
  readonly closed: readonly ClosedPeriod[];
}

/** Applies everything that has come due by now, in the order of time. */
export function advance(subscription: Subscription, now: number): AdvanceResult {
  const closed: ClosedPeriod[] = [];
  let current = subscription;
  for (let due = validUntil(current); due <= now; due = validUntil(current)) {
    const next = afterDue(current, due);
    closed.push(...closedBetween(current, next));
    current = next;
  }
  return { subscription: current, closed };
}

function afterDue(current: Subscription, due: number): Subscription {
  if (gracePeriodEnd(current) === due) return blocked(current, due);
  const { next, ...rest } = current;
  if (next?.at === due) return onPlan(rest, next.plan, due);
  return { ...current, period: periodFor(current, due) };
}

/** Applies Free's limits after failed payments, until one settles, counted from zero. */
const blocked = (subscription: Subscription, now: number): Subscription => ({
  ...subscription,
  state: 'scale_blocked',
  period: monthOf(now, 'b'),
});

/** Changes the plan from now on. The billing date stays; leaving Free begins with today as billing date. */
export function onPlan(subscription: Subscription, plan: PlanName, now: number): Subscription {
  const { anchor, settledAt: _settled, next: _next, ...rest } = { ...subscription, failures: [] };
  if (plan === 'free') return { ...rest, plan, state: 'free', period: monthOf(now) };
  const paid = {
    ...rest,
    plan,
    state: plan === 'scale' ? ('scale_intro' as const) : ('active' as const),
    anchor: anchor ?? now,
  };
  return { ...paid, period: billingPeriodOf(paid.anchor, now) };
}

export const periodFor = ({ state, anchor }: Subscription, now: number): Period => {
  if (state === 'scale_blocked') return monthOf(now, 'b');
  return anchor === undefined ? monthOf(now) : billingPeriodOf(anchor, now);
};

/** The period that counts a conversion of this time, which may be before or after the present one. */
export function periodAt(subscription: Subscription, at: number): Period {
  const { period, anchor } = subscription;
  if (at >= period.start) return advance(subscription, at).subscription.period;
  // Usage on Free before the first paid period was carried over into that period.
  return periodFor(subscription, Math.max(at, anchor ?? at));
}

export const isPaid = ({ period }: Subscription): boolean => period.id.startsWith('p');

/** The paid period that ends with this step, if any. */
export function closedBetween(before: Subscription, after: Subscription): ClosedPeriod[] {
  if (isPaid(before)) return before.period.id === after.period.id ? [] : [closing(before, after)];
  // A blocked account that goes to another paid plan closes the period that it would be in, and pays for the next one.
  const isBack = before.state === 'scale_blocked' && after.plan !== before.plan && isPaid(after);
  return isBack ? [closing(unblocked(before, after.period.start - 1), after)] : [];
}

const unblocked = (blocked: Subscription, at: number): Subscription => ({
  ...blocked,
  state: blocked.settledAt === undefined ? 'scale_intro' : 'scale_dunning',
  period: billingPeriodOf(blocked.anchor ?? at, at),
});

/** The prices of a period: its flat price, and the price of each conversion beyond `included`, up to `billedLimit`. */
export const billingOf = (subscription: Subscription) => ({
  flatMicros: isPaid(subscription) ? planOf(subscription.plan).flatMicros : 0,
  included: limitsOf(subscription).included,
  billedLimit: hardLimitWith(highestCap(subscription), subscription),
  overageMicros: overageMicrosOf(subscription) ?? 0,
});

/** The conversions that are billed as overage; late usage beyond the limit is not. */
export const overageCount = (
  used: number,
  { included, billedLimit }: Pick<ClosedPeriod, 'included' | 'billedLimit'>,
): number => Math.max(0, Math.min(used, billedLimit) - included);

function closing(ended: Subscription, next: Subscription): ClosedPeriod {
  const { flatMicros: _, ...billed } = billingOf(ended);
  return {
    period: ended.period,
    plan: ended.plan,
    currency: ended.currency,
    ...billed,
    ...(isPaid(next) && { nextFlat: { plan: next.plan, micros: planOf(next.plan).flatMicros } }),
  };
}

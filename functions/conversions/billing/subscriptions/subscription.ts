import { billingPeriodOf, monthOf, type Period } from './period.ts';
import { type Currency, type PaymentMethod, type Plan, type PlanName, planOf } from './plan.ts';

export const STATES = ['free', 'active', 'scale_intro', 'scale_full', 'scale_dunning', 'scale_blocked'] as const;
export type State = (typeof STATES)[number];

/** All that is known of one payment. Each member only ever moves one way, so that the order of events does not matter. */
export interface Payment {
  readonly id: string;
  /** The time of its latest event, as the provider states it. */
  readonly at: number;
  readonly settled: boolean;
}

/** What an account has booked, and how far it has paid. All steps on it are pure: the next one, from this one and a time. */
export interface Subscription {
  readonly plan: PlanName;
  readonly state: State;
  readonly currency: Currency;
  readonly period: Period;
  /** Start of the first paid period, which all later ones are counted from. Absent on Free. */
  readonly anchor?: number;
  /** A downgrade, which waits for the end of the paid period. */
  readonly next?: { readonly plan: PlanName; readonly at: number };
  /** The most that overage may cost in a period, in micro-units; 0 stops at what is included. Absent: no limit. */
  readonly capMicros?: number;
  /** The highest cap of a period in which it was lowered; `NO_END` if there was none. */
  readonly peakCap?: { readonly period: string; readonly micros: number };
  readonly paymentMethod?: PaymentMethod;
  /** A payment for Scale has settled at some time. */
  readonly hasPaidScale: boolean;
  /** When a payment last settled since Scale was booked. */
  readonly settledAt?: number;
  /** When payments failed after that, in ascending order: patience is counted from the first of them. */
  readonly failures: readonly number[];
}

/** What the meter enforces. */
export interface Limits {
  /** Microseconds that a token takes to come back. */
  readonly tokenMicros: number;
  readonly burst: number;
  readonly included: number;
  /** Live conversions of a period after which every call is refused. */
  readonly most: number;
}

/** More than any period has: the plan has no end. */
export const NO_END = 9_000_000_000_000_000;

/** For how long a later payment for Scale may be missing. */
export const PATIENCE_MILLIS = 14 * 86_400_000;

export const newSubscription = (currency: Currency, now: number): Subscription => ({
  plan: 'free',
  state: 'free',
  currency,
  period: monthOf(now),
  hasPaidScale: false,
  failures: [],
});

/** While nothing is billed the currency follows that of the tenant, and a bank debit of another currency goes. */
export function inCurrency(subscription: Subscription, currency: Currency): Subscription {
  if (subscription.state !== 'free' || subscription.currency === currency) return subscription;
  const { paymentMethod, ...rest } = subscription;
  return { ...rest, currency, ...(paymentMethod === 'card' && { paymentMethod }) };
}

/** The plan whose limits apply: before Scale is paid those of Growth, after failed payments those of Free. */
function limitingPlan({ plan, state }: Subscription): Plan {
  if (state === 'scale_intro') return planOf('growth');
  return planOf(state === 'scale_blocked' ? 'free' : plan);
}

/** Price of a conversion beyond those included: that of the booked plan, whatever limits apply. */
const overageMicrosOf = ({ plan, state }: Subscription): number | undefined =>
  state === 'scale_blocked' ? undefined : planOf(plan).overageMicros;

export function limitsOf(subscription: Subscription): Limits {
  const { included, ratePerSecond, burst } = limitingPlan(subscription);
  return {
    tokenMicros: Math.ceil(1_000_000 / ratePerSecond),
    burst,
    included,
    most: mostWith(subscription.capMicros, subscription),
  };
}

function mostWith(capMicros: number = NO_END, subscription: Subscription): number {
  const { included } = limitingPlan(subscription);
  const price = overageMicrosOf(subscription);
  if (price === undefined) return included;
  return capMicros >= NO_END ? NO_END : Math.min(NO_END, included + Math.floor(capMicros / price));
}

/** The highest cap that was in force in this period: what was used under it is billed after it was lowered, too. */
const highestCap = ({ capMicros = NO_END, peakCap, period }: Subscription): number =>
  peakCap?.period === period.id ? peakCap.micros : capMicros;

/** With another cap, or without one, from now on. */
export function withCap(subscription: Subscription, capMicros: number | undefined): Subscription {
  const { capMicros: _cap, peakCap: _peak, ...rest } = subscription;
  const peak = highestCap(subscription);
  return {
    ...rest,
    ...(capMicros !== undefined && { capMicros }),
    ...(peak > (capMicros ?? NO_END) && { peakCap: { period: subscription.period.id, micros: peak } }),
  };
}

/** Until when nothing changes by itself: the end of the period, a downgrade, or the end of patience. */
export function validUntil({ period, next, ...payments }: Subscription): number {
  return Math.min(period.end, next?.at ?? Number.POSITIVE_INFINITY, patienceEnd(payments) ?? Number.POSITIVE_INFINITY);
}

/** When limits fall to those of Free unless a payment settles. */
function patienceEnd({ state, failures: [first] }: Pick<Subscription, 'state' | 'failures'>): number | undefined {
  const waits = state === 'scale_dunning' || state === 'scale_intro';
  return waits && first !== undefined ? first + PATIENCE_MILLIS : undefined;
}

/** A paid period that has ended, as it stood then: what its invoice is made from. */
export interface ClosedPeriod {
  readonly period: Period;
  readonly plan: PlanName;
  readonly currency: Currency;
  readonly included: number;
  /** Conversions after which none is billed. */
  readonly most: number;
  readonly overageMicros: number;
  /** What the next period costs in advance; absent if none follows. */
  readonly nextFlat?: { readonly plan: PlanName; readonly micros: number };
}

/** Where a subscription stands, and the paid periods that ended on the way there. */
export interface Advanced {
  readonly subscription: Subscription;
  readonly closed: readonly ClosedPeriod[];
}

/** Applies all that has come due by now, in the order of its time. */
export function advance(subscription: Subscription, now: number): Advanced {
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
  if (patienceEnd(current) === due) return blocked(current, due);
  const { next, ...rest } = current;
  if (next?.at === due) return onPlan(rest, next.plan, due);
  return { ...current, period: periodFor(current, due) };
}

/** The payments have failed: Free's limits until one settles, counted from zero. */
const blocked = (subscription: Subscription, now: number): Subscription => ({
  ...subscription,
  state: 'scale_blocked',
  period: monthOf(now, 'b'),
});

/** On another plan from now on. The billing date stays; leaving Free begins with a billing date of today. */
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

/** The period that counts a conversion of this time, which may lie before or after the present one. */
export function periodAt(subscription: Subscription, at: number): Period {
  const { period, anchor } = subscription;
  if (at >= period.start) return advance(subscription, at).subscription.period;
  // What was used on Free before the first paid period was carried over into that one.
  return periodFor(subscription, Math.max(at, anchor ?? at));
}

export const isPaid = ({ period }: Subscription): boolean => period.id.startsWith('p');

/** The paid period that ends with this step, if one does. */
export function closedBetween(before: Subscription, after: Subscription): ClosedPeriod[] {
  if (isPaid(before)) return before.period.id === after.period.id ? [] : [closing(before, after)];
  // A downgrade of an account whose payments failed: the period that it would be in leaves the next one to pay.
  const isBack = before.state === 'scale_blocked' && after.plan !== before.plan && isPaid(after);
  return isBack ? [closing(unblocked(before, after.period.start - 1), after)] : [];
}

const unblocked = (blocked: Subscription, at: number): Subscription => ({
  ...blocked,
  state: blocked.settledAt === undefined ? 'scale_intro' : 'scale_dunning',
  period: billingPeriodOf(blocked.anchor ?? at, at),
});

/** What a period bills: its flat price, and conversions beyond `included`, up to `most`, at the price of one. */
export const billingOf = (subscription: Subscription) => ({
  flatMicros: isPaid(subscription) ? planOf(subscription.plan).flatMicros : 0,
  included: limitsOf(subscription).included,
  most: mostWith(highestCap(subscription), subscription),
  overageMicros: overageMicrosOf(subscription) ?? 0,
});

/** Conversions that are billed besides the flat price; late ones beyond the limit are not. */
export const overageOf = (used: number, { included, most }: Pick<ClosedPeriod, 'included' | 'most'>): number =>
  Math.max(0, Math.min(used, most) - included);

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

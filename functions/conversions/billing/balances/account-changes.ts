import { rebased } from '#shared/metering/token-bucket';
import { type Announcement, announcement } from '../announcements/announcement.ts';
import type { Period } from '../subscriptions/period.ts';
import {
  advance,
  type ClosedPeriod,
  closedBetween,
  isPaid,
  limitsOf,
  type Subscription,
  validUntil,
} from '../subscriptions/subscription.ts';
import { type Account, bucketOf, counterOf, subscriptionOf, TEST_POOL, usageIn } from './account.ts';
import { type BegunDay, begunDay, dateOf, endOfDay, openDay } from './days.ts';

/** A step of a subscription, and all further changes of the account. */
export interface AccountChange {
  readonly before: Account;
  /** Members of the account to set. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Counters to remove. */
  readonly remove: readonly string[];
  /** The arrival times for which a newly filled bucket is right, because requests change it meanwhile. */
  readonly arrivals?: Arrivals;
  /** Counters: the second continues from the count of the first. */
  readonly carries?: { readonly from: string; readonly to: string };
  /** The day that begins; the counters of the day before are stored as they are at the moment of the write. */
  readonly day?: BegunDay;
  readonly closed: readonly CountedPeriod[];
  /** The paid period that begins, if one does. */
  readonly opened?: Period;
  readonly announcements: readonly Announcement[];
}

interface Arrivals {
  readonly from: number;
  readonly to: number;
}

/** A paid period that has ended, with its counts. */
export interface CountedPeriod extends ClosedPeriod {
  readonly used: number;
}

export interface StepResult {
  readonly subscription: Subscription;
  readonly closed: readonly ClosedPeriod[];
}

/** Applies changes that have come due, then a step of the caller's own. */
export function afterStep(item: Account, now: number, step: (current: Subscription) => Subscription): StepResult {
  const due = advance(subscriptionOf(item), now);
  const stepped = step(due.subscription);
  return { subscription: stepped, closed: [...due.closed, ...closedBetween(due.subscription, stepped)] };
}

/** Derives the members of an account from a subscription. @param until the end of the day that it counts */
function membersOf(subscription: Subscription, until: number) {
  const { period, ...facts } = subscription;
  const { tokenMicros, burst, included, hardLimit } = limitsOf(subscription);
  return {
    tokenMicros,
    burst,
    periodId: period.id,
    periodStart: period.start * 1_000,
    periodEnd: period.end * 1_000,
    validUntil: Math.min(validUntil(subscription), until) * 1_000,
    included,
    hardLimit,
    subscription: facts,
  };
}

/** A new account: nothing used, no credential. @param now when its first day begins; undefined: it counts no days yet */
export function newAccount(subscription: Subscription, now?: number): Account {
  const isCounting = now !== undefined;
  const until = isCounting ? endOfDay(dateOf(now)) : Number.POSITIVE_INFINITY;
  return {
    arrival: 0,
    version: 1,
    testQuota: TEST_POOL,
    testUsed: 0,
    ...(isCounting && { liveTotal: 0, liveTotalAtDayStart: 0, testUsedAtDayStart: 0 }),
    credentials: {},
    ...membersOf(subscription, until),
  };
}

interface Circumstances {
  readonly nowMicros: number;
  /** Tokens that requests may take between the read and the write; the new bucket lacks them. @default 0 */
  readonly spare?: number;
}

/**
 * Returns the writes of a step. The bucket keeps its debt in tokens; leaving Free for a paid plan carries over the
 * usage; counters older than the last period are removed.
 */
export function accountChange(
  tenant: string,
  before: Account,
  { subscription, closed }: StepResult,
  { nowMicros, spare = 0 }: Circumstances,
): AccountChange {
  const now = Math.floor(nowMicros / 1_000);
  const day = beginningDay(before, now, spare);
  const members = membersOf(subscription, endOfDay(day?.date ?? openDay(before)?.date ?? dateOf(now)));
  const { tokenMicros, burst, periodId } = members;
  const arrivals =
    tokenMicros !== before.tokenMicros || burst !== before.burst ? arrivalsOf(before, { nowMicros, spare }) : undefined;
  const from = subscriptionOf(before);
  const isNewPeriod = periodId !== before.periodId;
  const carries = isNewPeriod && from.state === 'free' && isPaid(subscription) && before.periodEnd > nowMicros;
  const counters = Object.keys(before).filter((name) => name.startsWith('q_'));
  return {
    before,
    set: {
      ...members,
      ...(arrivals && {
        arrival: rebased(arrivals.to, nowMicros, { from: bucketOf(before), to: { tokenMicros, burst } }),
      }),
    },
    remove: isNewPeriod
      ? counters.filter((name) => name !== counterOf(periodId) && isOver(name, nowMicros / 1_000))
      : [],
    ...(arrivals && { arrivals }),
    ...(carries && { carries: { from: counterOf(before.periodId), to: counterOf(periodId) } }),
    // The counter of a period that ended long ago is removed with this change.
    ...(day && { day }),
    closed: closed.map((one) => ({ ...one, used: usageIn(before, one.period.id) })),
    ...(isNewPeriod && isPaid(subscription) && { opened: subscription.period }),
    announcements: planChange(tenant, { before, from, to: subscription, now }),
  };
}

/**
 * A day ends only while its counters are unchanged, as they are once it is over; clocks differ, so an account may still
 * be busy. A step that is refused for that leaves the day to the next request.
 */
function beginningDay(before: Account, now: number, spare: number): BegunDay | undefined {
  const day = begunDay(before, now);
  return day?.ended && spare > 0 ? undefined : day;
}

/** The arrival times of the refilled bucket. A bucket that must spare all its tokens is filled with debt. */
function arrivalsOf({ arrival, tokenMicros, burst }: Account, { nowMicros, spare }: Required<Circumstances>): Arrivals {
  if (spare === 0) return { from: arrival, to: arrival };
  return {
    from: arrival,
    to: spare < burst ? Math.max(arrival, nowMicros) + spare * tokenMicros : Number.MAX_SAFE_INTEGER,
  };
}

/** The item after the change was written. */
export function itemAfter({ before, set, remove, carries, day }: AccountChange): Account {
  const remaining = Object.entries(before).filter(([name]) => !remove.includes(name));
  const carried = carries && { [carries.to]: usageIn(before) };
  const begun = day && { liveTotalAtDayStart: before.liveTotal ?? 0, testUsedAtDayStart: before.testUsed };
  return { ...Object.fromEntries(remaining), ...set, ...carried, ...begun, version: before.version + 1 } as Account;
}

/** The retention of a counter: a period has at most 31 days, and refunds and late usage may reach it for another day. */
const COUNTED_MILLIS = 33 * 86_400_000;

/** @param counter `q_m202611`, or `q_p20261115` for a period that began on that day */
function isOver(counter: string, now: number): boolean {
  const [, year, month, day = '01'] = /^q_[a-z](\d{4})(\d{2})(\d{2})?$/.exec(counter) ?? [];
  return year !== undefined && Date.parse(`${year}-${month}-${day}`) + COUNTED_MILLIS < now;
}

interface Steps {
  readonly before: Account;
  readonly from: Subscription;
  readonly to: Subscription;
  readonly now: number;
}

function planChange(tenant: string, { before, from, to, now }: Steps): Announcement[] {
  if (from.plan === to.plan && from.state === to.state) return [];
  const version = before.version + 1;
  const data = { plan: to.plan, previousPlan: from.plan, state: to.state, previousState: from.state, version };
  return [announcement('Plan changed', { tenant, id: `plan-${version}`, data, now })];
}

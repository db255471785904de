import { rebased } from '#shared/metering/bucket';
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
import { bucketOf, counterOf, type MeterItem, subscriptionOf, TEST_POOL, used } from './account.ts';
import { type BegunDay, begunDay, dateOf, endOfDay, openDay } from './days.ts';

/** A step of a subscription, and all further changes of the account. */
export interface AccountChange {
  readonly before: MeterItem;
  /** Attributes of the account's item to set. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Attributes to remove. */
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

export interface Stepped {
  readonly subscription: Subscription;
  readonly closed: readonly ClosedPeriod[];
}

/** Applies changes that have come due, then a step of the caller's own. */
export function afterStep(item: MeterItem, now: number, step: (current: Subscription) => Subscription): Stepped {
  const due = advance(subscriptionOf(item), now);
  const stepped = step(due.subscription);
  return { subscription: stepped, closed: [...due.closed, ...closedBetween(due.subscription, stepped)] };
}

/** Derives the attributes of the account's item from a subscription. @param until the end of the day that it counts */
function attributesOf(subscription: Subscription, until: number): Readonly<Record<string, unknown>> {
  const { period, ...facts } = subscription;
  const { tokenMicros, burst, included, most } = limitsOf(subscription);
  return {
    T: tokenMicros,
    B: burst,
    per: period.id,
    ps: period.start * 1_000,
    pe: period.end * 1_000,
    vu: Math.min(validUntil(subscription), until) * 1_000,
    inc: included,
    lim: most,
    sub: facts,
  };
}

/** A new account: nothing used, no credential. @param now when its first day begins; undefined: it counts no days yet */
export function newMeterItem(subscription: Subscription, now?: number): MeterItem {
  const isCounting = now !== undefined;
  const until = isCounting ? endOfDay(dateOf(now)) : Number.POSITIVE_INFINITY;
  const start = { tat: 0, pv: 1, tq: TEST_POOL, tu: 0, ...(isCounting && { lu: 0, ld: 0, td: 0 }), ks: {} };
  return { ...start, ...attributesOf(subscription, until) } as MeterItem;
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
  before: MeterItem,
  { subscription, closed }: Stepped,
  { nowMicros, spare = 0 }: Circumstances,
): AccountChange {
  const now = Math.floor(nowMicros / 1_000);
  const day = beginningDay(before, now, spare);
  const attributes = attributesOf(subscription, endOfDay(day?.date ?? openDay(before)?.date ?? dateOf(now)));
  const { T, B, per } = attributes as Pick<MeterItem, 'T' | 'B' | 'per'>;
  const arrivals = T !== before.T || B !== before.B ? arrivalsOf(before, { nowMicros, spare }) : undefined;
  const from = subscriptionOf(before);
  const isNewPeriod = per !== before.per;
  const carries = isNewPeriod && from.state === 'free' && isPaid(subscription) && before.pe > nowMicros;
  const counters = Object.keys(before).filter((name) => name.startsWith('q_'));
  return {
    before,
    set: {
      ...attributes,
      ...(arrivals && { tat: rebased(arrivals.to, nowMicros, { from: bucketOf(before), to: bucketOf({ T, B }) }) }),
    },
    remove: isNewPeriod ? counters.filter((name) => name !== counterOf(per) && isOver(name, nowMicros / 1_000)) : [],
    ...(arrivals && { arrivals }),
    ...(carries && { carries: { from: counterOf(before.per), to: counterOf(per) } }),
    // The counter of a period that ended long ago is removed with this change.
    ...(day && { day }),
    closed: closed.map((one) => ({ ...one, used: used(before, one.period.id) })),
    ...(isNewPeriod && isPaid(subscription) && { opened: subscription.period }),
    announcements: planChange(tenant, { before, from, to: subscription, now }),
  };
}

/**
 * A day ends only while its counters are unchanged, as they are once it is over; clocks differ, so an account may still
 * be busy. A step that is refused for that leaves the day to the next request.
 */
function beginningDay(before: MeterItem, now: number, spare: number): BegunDay | undefined {
  const day = begunDay(before, now);
  return day?.ended && spare > 0 ? undefined : day;
}

/** The arrival times of the refilled bucket. A bucket that must spare all its tokens is filled with debt. */
function arrivalsOf({ tat, T, B }: MeterItem, { nowMicros, spare }: Required<Circumstances>): Arrivals {
  if (spare === 0) return { from: tat, to: tat };
  return { from: tat, to: spare < B ? Math.max(tat, nowMicros) + spare * T : Number.MAX_SAFE_INTEGER };
}

/** The item after the change was written. */
export function itemAfter({ before, set, remove, carries, day }: AccountChange): MeterItem {
  const kept = Object.entries(before).filter(([name]) => !remove.includes(name));
  const carried = carries && { [carries.to]: used(before) };
  const begun = day && { ld: before.lu ?? 0, td: before.tu };
  return { ...Object.fromEntries(kept), ...set, ...carried, ...begun, pv: before.pv + 1 } as MeterItem;
}

/** The retention of a counter: a period has at most 31 days, and refunds and late usage may reach it for another day. */
const COUNTED_MILLIS = 33 * 86_400_000;

/** @param counter `q_m202611`, or `q_p20261115` for a period that began on that day */
function isOver(counter: string, now: number): boolean {
  const [, year, month, day = '01'] = /^q_[a-z](\d{4})(\d{2})(\d{2})?$/.exec(counter) ?? [];
  return year !== undefined && Date.parse(`${year}-${month}-${day}`) + COUNTED_MILLIS < now;
}

interface Steps {
  readonly before: MeterItem;
  readonly from: Subscription;
  readonly to: Subscription;
  readonly now: number;
}

function planChange(tenant: string, { before, from, to, now }: Steps): Announcement[] {
  if (from.plan === to.plan && from.state === to.state) return [];
  const version = before.pv + 1;
  const data = { plan: to.plan, previousPlan: from.plan, state: to.state, previousState: from.state, version };
  return [announcement('Plan changed', { tenant, id: `plan-${version}`, data, now })];
}

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
import { rebased } from './bucket.ts';

/** Everything that a step of a subscription changes beside the subscription. */
export interface AccountChange {
  readonly before: MeterItem;
  /** Attributes of the account's item to set. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Attributes to remove. */
  readonly remove: readonly string[];
  /** The bucket is filled anew, and must not have been used in between. */
  readonly changesBucket: boolean;
  readonly closed: readonly ClosedPeriod[];
  /** The paid period that begins, if one does. */
  readonly opened?: Period;
  readonly announcements: readonly Announcement[];
}

export interface Stepped {
  readonly subscription: Subscription;
  readonly closed: readonly ClosedPeriod[];
}

/** Applies what has come due, then a step of the caller's own. */
export function afterStep(item: MeterItem, now: number, step: (current: Subscription) => Subscription): Stepped {
  const due = advance(subscriptionOf(item), now);
  const stepped = step(due.subscription);
  return { subscription: stepped, closed: [...due.closed, ...closedBetween(due.subscription, stepped)] };
}

/** The account's item as its attributes are derived from a subscription. */
export function attributesOf(subscription: Subscription): Readonly<Record<string, unknown>> {
  const { period, ...facts } = subscription;
  const { tokenMicros, burst, included, most } = limitsOf(subscription);
  return {
    T: tokenMicros,
    B: burst,
    per: period.id,
    ps: period.start * 1_000,
    pe: period.end * 1_000,
    vu: validUntil(subscription) * 1_000,
    inc: included,
    lim: most,
    sub: facts,
  };
}

/** A new account: nothing used, no credential. */
export const newMeterItem = (subscription: Subscription): MeterItem =>
  ({ tat: 0, pv: 1, tq: TEST_POOL, tu: 0, ks: {}, ...attributesOf(subscription) }) as MeterItem;

/**
 * What to write for a step. The bucket keeps its debt in tokens; leaving Free for a paid plan carries over what is used;
 * counters older than the last period go.
 */
export function accountChange(
  tenant: string,
  before: MeterItem,
  { subscription, closed }: Stepped,
  nowMicros: number,
): AccountChange {
  const attributes = attributesOf(subscription);
  const { T, B, per } = attributes as Pick<MeterItem, 'T' | 'B' | 'per'>;
  const changesBucket = T !== before.T || B !== before.B;
  const from = subscriptionOf(before);
  const isNewPeriod = per !== before.per;
  const carries = isNewPeriod && from.state === 'free' && isPaid(subscription) && before.pe > nowMicros;
  const counters = Object.keys(before).filter((name) => name.startsWith('q_'));
  return {
    before,
    set: {
      ...attributes,
      ...(changesBucket && { tat: rebased(before.tat, nowMicros, { from: bucketOf(before), to: bucketOf({ T, B }) }) }),
      ...(carries && { [counterOf(per)]: used(before) }),
    },
    remove: isNewPeriod ? counters.filter((name) => name !== counterOf(per) && isOver(name, nowMicros / 1_000)) : [],
    changesBucket,
    closed,
    ...(isNewPeriod && isPaid(subscription) && { opened: subscription.period }),
    announcements: planChange(tenant, { before, from, to: subscription, now: Math.floor(nowMicros / 1_000) }),
  };
}

/** A period has at most 31 days; refunds and late usage reach its counter for another day. */
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

/**
 * Searches every order of what may happen to a subscription: changes of plan and cap, payments that settle and fail, on
 * time or late, and time that passes to just before the next due moment, onto it, or far beyond. The steps are the
 * product's own.
 */
import { isDeepStrictEqual } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { subscriptionOf } from '../../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../../functions/conversions/billing/balances/account-changes.ts';
import { accountIn, attributesOf } from '../../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import { changePlan } from '../../../../functions/conversions/billing/subscriptions/change-plan.ts';
import { afterPayment } from '../../../../functions/conversions/billing/subscriptions/payments.ts';
import { PLAN_NAMES, PLANS } from '../../../../functions/conversions/billing/subscriptions/plan.ts';
import {
  advance,
  type ClosedPeriod,
  limitsOf,
  newSubscription,
  type State,
  type Subscription,
  UNLIMITED,
  validUntil,
  withCap,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';
import { marshalled } from '../../../../shared/table/table.dynamodb.ts';

const DAY = 86_400_000;
const START = Date.parse('2027-01-31T10:30:00.000Z');

interface Node {
  readonly subscription: Subscription;
  readonly now: number;
  readonly way: readonly string[];
}

export interface SearchResult {
  readonly nodes: number;
  readonly states: ReadonlySet<State>;
  readonly violations: readonly string[];
}

/** @param depth how many things happen in a row */
export function search(depth: number): SearchResult {
  const visited = new Set<string>();
  const states = new Set<State>();
  const violations: string[] = [];
  const first: Node = { subscription: newSubscription('USD', START), now: START, way: [] };
  let front = [first];
  for (let level = 0; level <= depth; level += 1) {
    const next: Node[] = [];
    for (const node of front) {
      const key = JSON.stringify([node.subscription, node.now]);
      if (visited.has(key)) continue;
      visited.add(key);
      states.add(node.subscription.state);
      const report = (what: string) => violations.push(`${node.way.join(', ')}: ${what}`);
      for (const what of broken(node)) report(what);
      if (level < depth) next.push(...successors(node, report));
    }
    front = next;
  }
  return { nodes: visited.size, states, violations };
}

function* successors({ subscription, now, way }: Node, report: (what: string) => void): Generator<Node> {
  const step = (name: string, after: Subscription, at = now): Node => ({
    subscription: after,
    now: at,
    way: [...way, name],
  });
  for (const plan of PLAN_NAMES) yield step(plan, changePlan(subscription, { plan }, now).subscription);
  for (const cap of [undefined, 0, 10_000_000]) yield step(`cap ${cap}`, withCap(subscription, cap));
  for (const kind of ['settled', 'failed'] as const) {
    for (const late of [0, 10 * DAY]) {
      const event = { id: '', payment: `${way.length}`, kind, at: now - late };
      const payment = { id: event.payment, at: event.at, settled: kind === 'settled' };
      yield step(`${kind} ${late / DAY} days ago`, afterPayment(subscription, { event, payment }, now));
    }
  }
  const due = validUntil(subscription);
  for (const at of [due - 1, due, now + 15 * DAY, now + 70 * DAY]) {
    if (at <= now) continue;
    const { subscription: after, closed } = advance(subscription, at);
    for (const what of wronglyClosed(closed, { before: subscription, after, at }))
      report(`until ${at - now} ms later: ${what}`);
    yield step(`${(at - now) / DAY} days`, after, at);
  }
}

/** Rate, burst and included conversions of each state, as the price list and the specification have them. */
const LIMITS: Readonly<Record<string, readonly [number, number, number]>> = {
  'free free': [5, 10, 1_000],
  'starter active': [20, 40, 10_000],
  'growth active': [50, 100, 50_000],
  'scale scale_intro': [50, 100, 50_000],
  'scale scale_full': [200, 400, 500_000],
  'scale scale_dunning': [200, 400, 500_000],
  'scale scale_blocked': [5, 10, 1_000],
};

function* broken({ subscription, now }: Node): Generator<string> {
  yield* brokenLimits(subscription);
  yield* brokenPlan(subscription);
  const { period, failures, next } = subscription;
  if (next && next.at <= now) yield 'a downgrade did not come';
  if (validUntil(subscription) <= now) yield 'something is due that was not applied';
  if (now < period.start || now >= period.end) yield 'the period does not hold the present';
  if (failures.some((at, index) => at <= (failures[index - 1] ?? 0))) yield 'failures are not in order';
  const item = accountIn(unmarshall(marshalled(attributesOf(newAccount(subscription)))));
  if (!isDeepStrictEqual(subscriptionOf(item), subscription)) yield 'the item does not give it back';
  if (item.validUntil !== validUntil(subscription) * 1_000) yield 'the item is valid for another time';
}

/** In micro-units of money. */
const PRICES = { free: undefined, starter: 4_000, growth: 3_000, scale: 1_500 };

function* brokenLimits(subscription: Subscription): Generator<string> {
  const { plan, state, capMicros } = subscription;
  const { tokenMicros, burst, included, hardLimit } = limitsOf(subscription);
  const limits = LIMITS[`${plan} ${state}`];
  if (!limits) yield `${plan} cannot be ${state}`;
  if (!isDeepStrictEqual([1_000_000 / tokenMicros, burst, included], limits)) yield 'limits and state disagree';
  const price = state === 'scale_blocked' ? undefined : PRICES[plan];
  const beyond = capMicros === undefined ? UNLIMITED : Math.floor(capMicros / (price ?? 1));
  if (hardLimit !== (price === undefined ? included : Math.min(UNLIMITED, included + beyond)))
    yield 'the limit is not that of the cap';
}

const PERIODS = new Map<State, string>([
  ['free', 'm'],
  ['scale_blocked', 'b'],
]);

function* brokenPlan({
  plan,
  state,
  period,
  anchor,
  next,
  paymentMethod,
  ...payments
}: Subscription): Generator<string> {
  if (period.id[0] !== (PERIODS.get(state) ?? 'p')) yield 'the period is of another kind';
  if ((anchor === undefined) !== (plan === 'free')) yield 'a billing date without a paid plan, or the other way round';
  if (next && next.at < period.end && state !== 'scale_blocked') yield 'a downgrade comes before the end of the period';
  if (next && PLANS[next.plan].flatMicros >= PLANS[plan].flatMicros) yield 'the next plan is no downgrade';
  if (plan === 'scale' && paymentMethod !== 'ach') yield 'Scale is not paid by bank debit';
  if (plan !== 'scale' && (payments.failures.length > 0 || payments.settledAt !== undefined))
    yield 'payments of a plan that is not booked';
}

interface Passage {
  readonly before: Subscription;
  readonly after: Subscription;
  readonly at: number;
}

function* wronglyClosed(closed: readonly ClosedPeriod[], { before, after, at }: Passage): Generator<string> {
  for (const { period } of closed) {
    if (!period.id.startsWith('p')) yield `${period.id} is no paid period`;
  }
  const ids = closed.map(({ period }) => period.id);
  for (const [index, one] of closed.entries()) {
    const again = closed.slice(index + 1).find(({ period }) => period.id === one.period.id);
    // Once when payments failed, and once more if a downgrade comes due at its end: that adds what begins then.
    if (
      again &&
      (one.nextFlat || !isDeepStrictEqual({ ...again, nextFlat: undefined }, { ...one, nextFlat: undefined }))
    )
      yield 'a period ended twice';
  }
  if (before.period.id.startsWith('p') && before.period.end <= at && !ids.includes(before.period.id))
    yield 'a period did not end';
  if (ids.includes(after.period.id)) yield 'the present period has ended';
  const last = closed.at(-1);
  const isPaid = after.period.id.startsWith('p') && after.period.start > before.period.start;
  if (isPaid && last?.nextFlat?.plan !== after.plan) yield 'the period that begins is not charged';
  if (!after.period.id.startsWith('p') && last?.nextFlat) yield 'a period is charged that does not begin';
}

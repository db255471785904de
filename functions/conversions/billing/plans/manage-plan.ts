import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import { type Account, subscriptionOf } from '../balances/account.ts';
import { amountText, microsIn } from '../subscriptions/amount.ts';
import { type ChangedPlan, changePlan, type PlanChange, planVersionOf } from '../subscriptions/change-plan.ts';
import { PAYMENT_METHODS, PLAN_NAMES, type PlanName, planOf } from '../subscriptions/plan.ts';
import { advance } from '../subscriptions/subscription.ts';

const paymentMethod = z.enum(PAYMENT_METHODS).optional();

export const StatedPlan = z
  .strictObject({
    plan: z.enum(PLAN_NAMES),
    paymentMethod,
    /** The version of the account when the change was shown, as `?to=` returns it. @default any version */
    version: z.string().max(100).optional(),
  })
  .meta({ id: 'NewPlan' });

/** `to` adds a preview of the change to that plan. */
export const PlanQuery = z.object({ to: z.enum(PLAN_NAMES).optional(), paymentMethod });

const Amount = z.string().transform((text, context) => {
  const micros = microsIn(text);
  if (micros !== undefined) return micros;
  context.addIssue({ code: 'custom', message: 'must be an amount, such as "25.00"' });
  return z.NEVER;
});

/** `{amount}` caps the cost of overage; `hard-stop` allows no overage, `none` removes the cap. */
export const StatedCap = z
  .union([
    z.strictObject({ amount: Amount }).transform(({ amount }) => ({ capMicros: amount })),
    z
      .strictObject({ mode: z.enum(['hard-stop', 'none']) })
      .transform(({ mode }) => ({ capMicros: mode === 'none' ? undefined : 0 })),
  ])
  .meta({ id: 'NewSpendCap' });

export const StatedPayment = z
  .strictObject({
    id: z.string().trim().min(1).max(100),
    payment: z.string().trim().min(1).max(100),
    kind: z.enum(['settled', 'failed']),
    /** The time of the event at the provider. @default now */
    time: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'PaymentEvent' });

/** The plan of an account in the management API, including changes that have come due, written or not. */
export function presentPlan(item: Account, now: number) {
  const { subscription } = advance(subscriptionOf(item), now);
  const { plan, state, currency, period, next, capMicros, paymentMethod } = subscription;
  return {
    plan,
    state,
    currency,
    periodStart: isoTime(period.start),
    periodEnd: isoTime(period.end),
    ...(next && { next: { plan: next.plan, at: isoTime(next.at) } }),
    spendCap: presentCap(capMicros),
    ...(paymentMethod && { paymentMethod }),
  };
}

/** Returns what a change of plan would do now. Refuses what the change itself would refuse. */
export function previewChange(item: Account, change: PlanChange, now: number) {
  const { subscription } = advance(subscriptionOf(item), now);
  const changed = changePlan(subscription, change, now);
  return {
    ...presentChange(changed),
    at: isoTime(changed.subscription.next?.at ?? now),
    version: planVersionOf(subscription, now),
  };
}

/** The price of a plan in the currency of an account, and what it includes. */
function presentOffer(plan: PlanName) {
  const { flatMicros, included, overageMicros, ratePerSecond, burst } = planOf(plan);
  return {
    plan,
    price: amountText(flatMicros),
    included,
    ...(overageMicros !== undefined && { overage: amountText(overageMicros) }),
    rateLimit: { perSecond: ratePerSecond, burst },
  };
}

/** Returns the booked plan, the plans to choose from, and the preview of the change that the query names. */
export function presentPlanAnd({ to, paymentMethod }: z.output<typeof PlanQuery>, item: Account, now: number) {
  const change = to && previewChange(item, { plan: to, paymentMethod }, now);
  return { ...presentPlan(item, now), offers: PLAN_NAMES.map(presentOffer), ...(change && { change }) };
}

/** Presents a change of plan that was carried out. */
export const presentChange = ({ effective, chargeMicros, subscription: { currency } }: ChangedPlan) => ({
  effective,
  charge: { amount: amountText(chargeMicros), currency },
});

export const presentCap = (capMicros: number | undefined) => {
  if (capMicros === undefined) return { mode: 'none' as const };
  return capMicros === 0 ? { mode: 'hard-stop' as const } : { amount: amountText(capMicros) };
};

import { createHash } from 'node:crypto';
import { Refusal } from '#shared/errors';
import { billingPeriodOf } from './period.ts';
import { DEBITS, type PaymentMethod, type PlanName, planOf } from './plan.ts';
import { onPlan, type Subscription } from './subscription.ts';

export interface PlanChange {
  readonly plan: PlanName;
  /** The payment method. @default the stored one, or on Scale the bank debit of the currency */
  readonly paymentMethod?: PaymentMethod | undefined;
}

export interface ChangedPlan {
  readonly subscription: Subscription;
  readonly effective: 'now' | 'period-end';
  /** The amount to be paid at once, before tax, in micro-units. */
  readonly chargeMicros: number;
}

/**
 * Changes the plan (README, "Plans"). An upgrade applies now and costs the difference of the flat prices, on any day. A
 * downgrade costs nothing and applies at the end of the paid period. Choosing the current plan cancels it.
 */
export function changePlan(subscription: Subscription, { plan, paymentMethod }: PlanChange, now: number): ChangedPlan {
  const method = methodFor(subscription, plan, paymentMethod);
  const { next: _next, ...current } = { ...subscription, ...(method && { paymentMethod: method }) };
  const difference = planOf(plan).flatMicros - planOf(subscription.plan).flatMicros;
  if (difference > 0) {
    return { subscription: onPlan(current, plan, now), effective: 'now', chargeMicros: difference };
  }
  if (difference === 0) return { subscription: current, effective: 'now', chargeMicros: 0 };
  const at = downgradeAt(subscription, now);
  return { subscription: { ...current, next: { plan, at } }, effective: 'period-end', chargeMicros: 0 };
}

/**
 * Returns when a downgrade applies. An account whose payments failed has no paid period: its downgrade applies at the end
 * of the period that would be current without the failure.
 */
const downgradeAt = ({ anchor, period }: Subscription, now: number): number =>
  anchor === undefined ? period.end : billingPeriodOf(anchor, now).end;

/**
 * Identifies everything on which the charge and the date of a change of plan depend. A change that was confirmed for the
 * same version has the displayed charge and date. Usage, and time within a period, do not change the version.
 */
export function planVersionOf(subscription: Subscription, now: number): string {
  const { plan, state, currency, period, anchor, next, paymentMethod } = subscription;
  const due = [next?.plan, next?.at, downgradeAt(subscription, now)];
  const facts = JSON.stringify([plan, state, currency, period.id, anchor, paymentMethod, ...due]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16);
}

/** Refuses a change that was confirmed for another version. @param version as shown; undefined: any version */
export function requirePlanVersion(subscription: Subscription, version: string | undefined, now: number): void {
  if (version === undefined || version === planVersionOf(subscription, now)) return;
  throw new Refusal(409, 'plan-changed', 'The plan has changed since this was shown. Look again before you change it.');
}

function methodFor(
  { currency, plan: current, paymentMethod: stored }: Subscription,
  plan: PlanName,
  requested: PaymentMethod | undefined,
): PaymentMethod | undefined {
  const debit = DEBITS[currency];
  // A downgrade leaves Scale in force until the period ends, and Scale cannot be paid by card until then.
  const isScale = plan === 'scale' || current === 'scale';
  const method = requested ?? stored ?? (isScale ? debit : undefined);
  if (method === undefined || (method === 'card' && !isScale) || method === debit) return method;
  throw new Refusal(
    422,
    'payment-method-not-allowed',
    method === 'card'
      ? `Scale is paid by bank debit only: state the paymentMethod "${debit}".`
      : `The method ${method} does not follow the billing currency ${currency}: state "${debit}"${isScale ? '' : ' or "card"'}.`,
  );
}

import { Refusal } from '#shared/errors';
import { billingPeriodOf } from './period.ts';
import { DEBITS, type PaymentMethod, type PlanName, planOf } from './plan.ts';
import { onPlan, type Subscription } from './subscription.ts';

export interface PlanChange {
  readonly plan: PlanName;
  /** @default the stored one, or on Scale the bank debit of the currency */
  readonly paymentMethod?: PaymentMethod | undefined;
}

export interface ChangedPlan {
  readonly subscription: Subscription;
  readonly effective: 'now' | 'period-end';
  /** To be paid at once, before tax, in micro-units. */
  readonly chargeMicros: number;
}

/**
 * A change of plan (specification 001, section 3). An upgrade applies now and costs the difference of the flat prices on
 * whatever day; a downgrade waits for the end of the paid period, and choosing the current plan again takes it back.
 */
export function changePlan(subscription: Subscription, { plan, paymentMethod }: PlanChange, now: number): ChangedPlan {
  const method = methodFor(subscription, plan, paymentMethod);
  const { next, ...current } = { ...subscription, ...(method && { paymentMethod: method }) };
  const difference = planOf(plan).flatMicros - planOf(subscription.plan).flatMicros;
  if (difference > 0) {
    return { subscription: onPlan(current, plan, now), effective: 'now', chargeMicros: difference };
  }
  if (difference === 0) return { subscription: current, effective: 'now', chargeMicros: 0 };
  const at = next?.at ?? paidUntil(subscription, now);
  return { subscription: { ...current, next: { plan, at } }, effective: 'period-end', chargeMicros: 0 };
}

/** The end of the paid period; of an account whose payments failed, that of the period that it would be in. */
function paidUntil({ anchor, period, state }: Subscription, now: number): number {
  return state === 'scale_blocked' && anchor !== undefined ? billingPeriodOf(anchor, now).end : period.end;
}

function methodFor(
  { currency, plan: current, paymentMethod: stored }: Subscription,
  plan: PlanName,
  stated: PaymentMethod | undefined,
): PaymentMethod | undefined {
  const debit = DEBITS[currency];
  // A downgrade leaves Scale in force until the period ends, and no card may pay for it until then.
  const isScale = plan === 'scale' || current === 'scale';
  const method = stated ?? stored ?? (isScale ? debit : undefined);
  if (method === undefined || (method === 'card' && !isScale) || method === debit) return method;
  throw new Refusal(
    422,
    'payment-method-not-allowed',
    method === 'card'
      ? `Scale is paid by bank debit only: state the paymentMethod "${debit}".`
      : `The method ${method} does not follow the billing currency ${currency}: state "${debit}"${isScale ? '' : ' or "card"'}.`,
  );
}

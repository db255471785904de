import { PATIENCE_MILLIS, type Payment, periodFor, type State, type Subscription } from './subscription.ts';

/** What the payment provider says of one payment. */
export interface PaymentEvent {
  readonly id: string;
  readonly payment: string;
  readonly kind: 'settled' | 'failed';
  /** When it happened; payments are in the order of these times, whatever order their events arrive in. */
  readonly at: number;
}

/** A payment that has settled stays settled: a failure of the same payment came earlier, whenever it is announced. */
export function afterEvent(known: Payment | undefined, { payment, kind, at }: PaymentEvent): Payment {
  const failures = [known?.failedAt ?? [], kind === 'failed' ? at : []].flat();
  return {
    id: payment,
    at: Math.max(known?.at ?? at, at),
    settled: (known?.settled ?? false) || kind === 'settled',
    ...(failures.length > 0 && { failedAt: Math.min(...failures) }),
  };
}

/**
 * The subscription after what is now known of a payment. On Scale the latest payment decides: settled, full limits;
 * failed, those of Free if none has ever settled, and otherwise two weeks of patience. On other plans nothing changes.
 */
export function afterPayment(subscription: Subscription, payment: Payment, now: number): Subscription {
  if (subscription.plan !== 'scale') return subscription;
  const known = {
    ...subscription,
    hasPaidScale: subscription.hasPaidScale || payment.settled,
    hasSettled: subscription.hasSettled || payment.settled,
    latestPayment: later(subscription.latestPayment, payment),
  };
  return withState(known, stateAfter(known, now), now);
}

function later(known: Payment | undefined, payment: Payment): Payment {
  if (known === undefined || known.id === payment.id) return payment;
  const isLater = payment.at > known.at || (payment.at === known.at && payment.id > known.id);
  return isLater ? payment : known;
}

/** It follows from what is known of the payments and from the time, not from the state before. */
function stateAfter(known: Subscription & { readonly latestPayment: Payment }, now: number): State {
  const { latestPayment, hasPaidScale, hasSettled } = known;
  if (latestPayment.settled) return 'scale_full';
  const isPatienceOver = (latestPayment.failedAt ?? now) + PATIENCE_MILLIS <= now;
  if (!hasPaidScale || isPatienceOver) return 'scale_blocked';
  return hasSettled ? 'scale_dunning' : 'scale_intro';
}

function withState(subscription: Subscription, state: State, now: number): Subscription {
  const changed = { ...subscription, state };
  // Within Scale the billing period stays; only falling back to Free and returning change what is counted.
  return { ...changed, period: periodFor(changed, now) };
}

import { GRACE_PERIOD_MILLIS, type Payment, periodFor, type State, type Subscription } from './subscription.ts';

/** An event of one payment, as the payment provider reports it. */
export interface PaymentEvent {
  readonly id: string;
  readonly payment: string;
  readonly kind: 'settled' | 'failed';
  /** The time of the event. Payments are ordered by it, whatever the order in which their events arrive. */
  readonly at: number;
}

/** A settled payment stays settled: a failure of the same payment happened earlier, whenever it is reported. */
export const afterEvent = (before: Payment | undefined, { payment, kind, at }: PaymentEvent): Payment => ({
  id: payment,
  at: Math.max(before?.at ?? at, at),
  settled: (before?.settled ?? false) || kind === 'settled',
});

interface Heard {
  readonly event: PaymentEvent;
  /** The state of the payment after this event. */
  readonly payment: Payment;
}

/**
 * The subscription after an event. On Scale the last settlement decides: without a later failure the full limits apply;
 * with one, there are two weeks of grace from the first, and then the limits of Free. These apply at once if no payment
 * has ever settled. On other plans nothing changes.
 */
export function afterPayment(subscription: Subscription, { event, payment }: Heard, now: number): Subscription {
  if (subscription.plan !== 'scale') return subscription;
  const { settledAt: before = Number.NEGATIVE_INFINITY, failures, hasPaidScale } = subscription;
  const settledAt = payment.settled ? Math.max(before, payment.at) : before;
  const all = new Set([...failures, ...(payment.settled ? [] : [event.at])]);
  const settled = {
    ...subscription,
    hasPaidScale: hasPaidScale || payment.settled,
    ...(settledAt > Number.NEGATIVE_INFINITY && { settledAt }),
    failures: significantFailures([...all].filter((at) => at > settledAt)),
  };
  const changed = { ...settled, state: stateAfter(settled, now) };
  // Within Scale the billing period continues; only a fall to Free and the return from it change the counter.
  return { ...changed, period: periodFor(changed, now) };
}

const FAILURES_MAX = 8;

/**
 * Keeps the first failures and the last one if there are many: the account's item is small, and a settlement between
 * them may come late.
 */
function significantFailures(failures: readonly number[]): number[] {
  const inOrder = failures.toSorted((a, b) => a - b);
  return inOrder.length > FAILURES_MAX ? [...inOrder.slice(0, FAILURES_MAX - 1), ...inOrder.slice(-1)] : inOrder;
}

/** The state follows from the payments and the time alone, not from the state before. */
function stateAfter({ hasPaidScale, settledAt, failures: [first] }: Subscription, now: number): State {
  const hasSettled = settledAt !== undefined;
  if (first === undefined) return hasSettled ? 'scale_full' : 'scale_intro';
  if (!hasPaidScale || first + GRACE_PERIOD_MILLIS <= now) return 'scale_blocked';
  return hasSettled ? 'scale_dunning' : 'scale_intro';
}

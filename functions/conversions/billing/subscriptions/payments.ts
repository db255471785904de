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
export const afterEvent = (known: Payment | undefined, { payment, kind, at }: PaymentEvent): Payment => ({
  id: payment,
  at: Math.max(known?.at ?? at, at),
  settled: (known?.settled ?? false) || kind === 'settled',
});

interface Heard {
  readonly event: PaymentEvent;
  /** What is known of its payment with this event. */
  readonly payment: Payment;
}

/**
 * The subscription after an event. On Scale the last settlement decides: with no failure after it, full limits; with
 * one, two weeks of patience from the first, and then those of Free. Those apply at once if none has ever settled. On
 * other plans nothing changes.
 */
export function afterPayment(subscription: Subscription, { event, payment }: Heard, now: number): Subscription {
  if (subscription.plan !== 'scale') return subscription;
  const { settledAt: before = Number.NEGATIVE_INFINITY, failures, hasPaidScale } = subscription;
  const settledAt = payment.settled ? Math.max(before, payment.at) : before;
  const all = new Set([...failures, ...(payment.settled ? [] : [event.at])]);
  const known = {
    ...subscription,
    hasPaidScale: hasPaidScale || payment.settled,
    ...(settledAt > Number.NEGATIVE_INFINITY && { settledAt }),
    failures: kept([...all].filter((at) => at > settledAt)),
  };
  const changed = { ...known, state: stateAfter(known, now) };
  // Within Scale the billing period stays; only falling back to Free and returning change what is counted.
  return { ...changed, period: periodFor(changed, now) };
}

const FAILURES_MAX = 8;

/** Of very many the first ones and the last: the account's item is small, and a settlement between them may come late. */
function kept(failures: readonly number[]): number[] {
  const inOrder = failures.toSorted((a, b) => a - b);
  return inOrder.length > FAILURES_MAX ? [...inOrder.slice(0, FAILURES_MAX - 1), ...inOrder.slice(-1)] : inOrder;
}

/** It follows from what is known of the payments and from the time, not from the state before. */
function stateAfter({ hasPaidScale, settledAt, failures: [first] }: Subscription, now: number): State {
  const hasSettled = settledAt !== undefined;
  if (first === undefined) return hasSettled ? 'scale_full' : 'scale_intro';
  if (!hasPaidScale || first + PATIENCE_MILLIS <= now) return 'scale_blocked';
  return hasSettled ? 'scale_dunning' : 'scale_intro';
}

import { countText } from '../components/quantities.ts';
import type { Plan, SpendCap } from './usage-answers.ts';

export const moneyText = (amount: string, currency: string): string => `${amount} ${currency}`;

/** `12,345 of 50,000 used, 24%` */
export function shareText(used: number, all: number): string {
  const share = all > 0 ? `, ${Math.floor((100 * used) / all)}%` : '';
  return `${countText(used)} of ${countText(all)} used${share}`;
}

/** Returns the label of a plan: `Growth`. */
export const planLabel = (plan: string): string => `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;

const STATES: Readonly<Record<string, string>> = {
  free: 'Free',
  active: 'Active',
  scale_intro: 'Active, with Growth limits until the first payment settles',
  scale_full: 'Active, paid',
  scale_dunning: 'Payment failed: Free limits apply after two weeks',
  scale_blocked: 'Unpaid: Free limits apply until a payment settles',
};

/** Returns the label of a plan's state; an unknown state is returned unchanged. */
export const stateText = (state: string): string => (Object.hasOwn(STATES, state) ? (STATES[state] ?? state) : state);

export const PAYMENT_METHODS = [
  ['ach', 'ACH debit, in USD'],
  ['sepa', 'SEPA debit, in EUR'],
  ['bacs', 'Bacs debit, in GBP'],
  ['card', 'Card'],
] as const;

export const methodLabel = (method: string): string =>
  PAYMENT_METHODS.find(([value]) => value === method)?.[1] ?? method;

/** Returns whether an account without a payment method must choose one for a plan. */
export const needsMethod = (plan: string, { paymentMethod }: Pick<Plan, 'paymentMethod'>): boolean =>
  plan === 'scale' && paymentMethod === undefined;

/** The payment methods that an account may choose for a plan: the debit of its currency, and a card, which Scale excludes. */
export function methodOptions(plan: string, current: Pick<Plan, 'currency' | 'paymentMethod'>) {
  const allowed = PAYMENT_METHODS.filter(
    ([method, label]) => label.endsWith(` in ${current.currency}`) || (method === 'card' && plan !== 'scale'),
  );
  const stored = current.paymentMethod && `No change: ${methodLabel(current.paymentMethod)}`;
  return [['', stored ?? (needsMethod(plan, current) ? 'Choose…' : 'None')] as const, ...allowed];
}

export const CAP_CHOICES = [
  ['none', 'No cap'],
  ['hard-stop', 'Stop at the included amount'],
  ['amount', 'Up to an amount'],
] as const;

/** The fields of the form, as text. */
export interface CapFields {
  readonly cap: string;
  readonly amount: string;
}

export const capFieldsOf = (cap: SpendCap): CapFields =>
  'amount' in cap ? { cap: 'amount', amount: cap.amount } : { cap: cap.mode, amount: '' };

/** The request body of a cap. The API validates the amount. */
export const capBodyOf = ({ cap, amount }: CapFields) => (cap === 'amount' ? { amount } : { mode: cap });

export function capText(cap: SpendCap, currency: string): string {
  if ('amount' in cap) return moneyText(cap.amount, currency);
  return CAP_CHOICES.find(([mode]) => mode === cap.mode)?.[1] ?? cap.mode;
}

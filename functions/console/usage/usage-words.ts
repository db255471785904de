import { countText } from '../components/quantities.ts';
import type { SpendCap } from './usage-answers.ts';

export const moneyText = (amount: string, currency: string): string => `${amount} ${currency}`;

/** `12,345 of 50,000 used, 24%` */
export function shareText(used: number, all: number): string {
  const share = all > 0 ? `, ${Math.floor((100 * used) / all)}%` : '';
  return `${countText(used)} of ${countText(all)} used${share}`;
}

/** `Growth`: plans and payment methods begin with a capital. */
export const planLabel = (plan: string): string => `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;

const STATES: Readonly<Record<string, string>> = {
  free: 'Free of charge',
  active: 'Active',
  scale_intro: 'Active, with the limits of Growth until the first payment settles',
  scale_full: 'Active, paid',
  scale_dunning: 'A payment has failed: after two weeks the limits of Free apply',
  scale_blocked: 'Not paid: the limits of Free apply until a payment settles',
};

/** The state of a plan in words; one that is not known here is shown as it is. */
export const stateText = (state: string): string => (Object.hasOwn(STATES, state) ? (STATES[state] ?? state) : state);

export const PAYMENT_METHODS = [
  ['', 'As it is'],
  ['ach', 'ACH debit, in USD'],
  ['sepa', 'SEPA debit, in EUR'],
  ['bacs', 'Bacs debit, in GBP'],
  ['card', 'Card'],
] as const;

export const methodLabel = (method: string): string =>
  PAYMENT_METHODS.find(([value]) => value !== '' && value === method)?.[1] ?? method;

export const CAP_CHOICES = [
  ['none', 'No cap'],
  ['hard-stop', 'Stop at what is included'],
  ['amount', 'At most this amount'],
] as const;

/** The fields of the form, as text. */
export interface CapFields {
  readonly cap: string;
  readonly amount: string;
}

export const capFieldsOf = (cap: SpendCap): CapFields =>
  'amount' in cap ? { cap: 'amount', amount: cap.amount } : { cap: cap.mode, amount: '' };

/** What the management API is sent: it says what is wrong with an amount. */
export const capBodyOf = ({ cap, amount }: CapFields) => (cap === 'amount' ? { amount } : { mode: cap });

export function capText(cap: SpendCap, currency: string): string {
  if ('amount' in cap) return moneyText(cap.amount, currency);
  return CAP_CHOICES.find(([mode]) => mode === cap.mode)?.[1] ?? cap.mode;
}

import type { PlanChange } from './usage-answers.ts';

/** All plans, cheapest first. */
export const PLANS = ['free', 'starter', 'growth', 'scale'] as const;

export const isPlan = (name: string): boolean => PLANS.some((plan) => plan === name);

/** The offer that a person confirms; the form sends it back. */
export interface ChangeOffer {
  readonly effective: string;
  readonly at: string;
  readonly amount: string;
  readonly currency: string;
}

export const offerOf = ({ effective, at, charge }: PlanChange): ChangeOffer => ({ effective, at, ...charge });

/** Returns the differences from the confirmed offer as sentences; none if charge and date are the same. */
export function differencesOf(offer: ChangeOffer, change: PlanChange): string[] {
  const now = offerOf(change);
  const differences: string[] = [];
  if (offer.amount !== now.amount || offer.currency !== now.currency) {
    differences.push(`The charge is ${now.amount} ${now.currency}; it was ${offer.amount} ${offer.currency}.`);
  }
  if (offer.effective !== now.effective) {
    const when = now.effective === 'now' ? 'applies at once' : 'waits for the end of the period';
    differences.push(`The change ${when}.`);
  } else if (now.effective !== 'now' && offer.at !== now.at) {
    differences.push(`The change applies on ${dayOf(now.at)}; it was ${dayOf(offer.at)}.`);
  }
  return differences;
}

const dayOf = (time: string) => time.slice(0, 10);

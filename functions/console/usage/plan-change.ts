import type { PlanChange } from './usage-answers.ts';

/** All plans, the cheapest first. */
export const PLANS = ['free', 'starter', 'growth', 'scale'] as const;

export const isPlan = (name: string): boolean => PLANS.some((plan) => plan === name);

/** What a person has seen before confirming; it is sent along with the confirmation. */
export interface ShownChange {
  readonly effective: string;
  readonly at: string;
  readonly amount: string;
  readonly currency: string;
}

export const shownOf = ({ effective, at, charge }: PlanChange): ShownChange => ({ effective, at, ...charge });

/** What is different from what was shown, in words; nothing if neither charge nor date are. */
export function differencesOf(shown: ShownChange, change: PlanChange): string[] {
  const now = shownOf(change);
  const found: string[] = [];
  if (shown.amount !== now.amount || shown.currency !== now.currency) {
    found.push(`The charge is ${now.amount} ${now.currency}; it was ${shown.amount} ${shown.currency}.`);
  }
  if (shown.effective !== now.effective) {
    const when = now.effective === 'now' ? 'applies at once' : 'waits for the end of the period';
    found.push(`The change ${when}.`);
  } else if (now.effective !== 'now' && shown.at !== now.at) {
    found.push(`The change applies on ${dayOf(now.at)}; it was ${dayOf(shown.at)}.`);
  }
  return found;
}

const dayOf = (time: string) => time.slice(0, 10);

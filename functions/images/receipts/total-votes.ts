import type { Item } from './items.ts';
import type { Summary } from './totals.ts';

/** Independent ways to a total. Two that agree are evidence: misreading makes the same mistake hardly twice. */
type Voter = 'line' | 'rounding' | 'tender' | 'sum';

export interface Vote {
  readonly voter: Voter;
  readonly cents: number;
  /** What it counts where no two agree. */
  readonly weight: number;
}

/**
 * Everything on the receipt that says what was paid. The sum of items and that of subtotal and tax are one voter: where
 * both are right they are the same number.
 */
export function totalVotes(summary: Summary, items: readonly Item[]): Vote[] {
  const { subtotal, tax = 0, service = 0, rounding = 0, cash, change } = summary;
  const lines = summary.totals.map(
    (cents, at): Vote => ({ voter: 'line', cents, weight: at > 0 ? 1 : summary.rounded ? 3 : 2 }),
  );
  const votes: Vote[] = [...lines];
  const vote = (voter: Voter, cents: number, weight: number) => {
    if (cents > 0) votes.push({ voter, cents, weight });
  };
  if (rounding !== 0) {
    // Some print the sign and some the amount alone, so the total must end on the coin that rounding rounds to.
    for (const line of new Set(summary.totals)) {
      for (const cents of [line + rounding, line - rounding]) if (cents % 5 === 0) vote('rounding', cents, 2);
    }
  }
  if (cash !== undefined && change !== undefined && change >= 0 && change < cash) vote('tender', cash - change, 2);
  if (cash !== undefined && change === undefined) vote('tender', cash, 1);
  const bought = items.reduce((sum, { price }) => sum + price, 0);
  for (const base of new Set([subtotal ?? 0, bought])) {
    if (base <= 0) continue;
    for (const added of new Set([0, tax, service, tax + service])) {
      // A charge that stands on the receipt is mostly added, but prices may hold the tax already.
      const weight = added === tax + service ? 1 : 0.5;
      vote('sum', base + added, weight);
      if (rounding !== 0) vote('sum', base + added + rounding, weight);
    }
  }
  return votes;
}

export interface Elected {
  readonly cents: number;
  /** Voters that agree on it. */
  readonly voters: readonly Voter[];
  /** Whether another amount has as many. */
  readonly tie: boolean;
}

/** The amount with most agreement: each voter counts once for an amount, by its heaviest vote. */
export function elected(votes: readonly Vote[]): Elected | undefined {
  const amounts = Map.groupBy(votes, ({ cents }) => cents);
  const ranked = [...amounts]
    .map(([cents, cast]) => {
      const voters = [...new Set(cast.map(({ voter }) => voter))];
      const weights = voters.map((voter) =>
        Math.max(...cast.filter((one) => one.voter === voter).map((one) => one.weight)),
      );
      return { cents, voters, weight: weights.reduce((sum, weight) => sum + weight, 0) + (voters.length > 1 ? 1 : 0) };
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = ranked;
  return first && { cents: first.cents, voters: first.voters, tie: second?.weight === first.weight };
}

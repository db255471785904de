import type { Item } from './items.ts';
import type { Summary } from './totals.ts';

/** Independent ways to a total. Two that agree are evidence: misreading makes the same mistake hardly twice. */
type Voter = 'line' | 'rounding' | 'tender' | 'sum';

/** Cents of the smallest coin, to which totals are rounded. */
const COIN = 5;

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
export function totalVotes(summary: Summary, items: readonly Pick<Item, 'price'>[]): Vote[] {
  const { subtotal, tax = 0, service = 0, rounding = 0 } = summary;
  const votes: Vote[] = [...lineVotes(summary), ...tenderVotes(summary)];
  const vote = (voter: Voter, cents: number, weight: number) => {
    if (cents > 0) votes.push({ voter, cents, weight });
  };
  if (rounding !== 0) {
    // Some print the sign and some the amount alone, so the total must end on the coin that rounding rounds to.
    for (const line of new Set(summary.totals)) {
      for (const cents of [line + rounding, line - rounding]) if (cents % COIN === 0) vote('rounding', cents, 2);
    }
  }
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

function lineVotes(summary: Summary): Vote[] {
  const { totals, rounded, rounding = 0 } = summary;
  const labelled = totals.map((cents, at): Vote => {
    // Where there was rounding, a total that is not round is that before it, or misread.
    const unround = rounding !== 0 && cents % COIN !== 0;
    return { voter: 'line', cents, weight: at > 0 || unround ? 1 : rounded ? 3 : 2 };
  });
  return [...labelled, ...unlabelled(summary).map((cents): Vote => ({ voter: 'line', cents, weight: 1 }))];
}

function tenderVotes({ cash, change }: Summary): Vote[] {
  if (cash === undefined) return [];
  if (change === undefined) return [{ voter: 'tender', cents: cash, weight: 1 }];
  return change >= 0 && change < cash ? [{ voter: 'tender', cents: cash - change, weight: 2 }] : [];
}

/** A row whose label was misread counts only where it shows what subtotal and charges come to: it may as well be cash. */
function unlabelled({ subtotal, tax = 0, service = 0, rounding = 0, loose }: Summary): number[] {
  const charged = tax + service;
  if (subtotal === undefined || charged <= 0) return [];
  return loose.filter((cents) => cents === subtotal + charged || cents === subtotal + charged + rounding);
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

import type { Item } from './items.ts';
import type { Summary } from './summary.ts';

/** Independent sources of a total. Two that agree are evidence, because OCR rarely makes the same mistake twice. */
type Source = 'line' | 'rounding' | 'tender' | 'sum';

/** The smallest coin that countries round cash totals to, in cents. */
export const COIN = 5;

export interface Vote {
  readonly source: Source;
  readonly cents: number;
  /** The weight of the vote where no two sources agree. */
  readonly weight: number;
}

/**
 * Collects all evidence of the amount paid. The sum of the items and the sum of subtotal and tax are one source, because
 * they are equal if both are right.
 */
export function totalVotes(summary: Summary, items: readonly Pick<Item, 'price'>[]): Vote[] {
  const { subtotal, tax = 0, service = 0, rounding = 0 } = summary;
  const votes: Vote[] = [...lineVotes(summary), ...tenderVotes(summary)];
  const vote = (source: Source, cents: number, weight: number) => {
    if (cents > 0) votes.push({ source, cents, weight });
  };
  if (rounding !== 0) {
    // Receipts print the rounding with or without its sign, so the rounded total must end on a coin.
    for (const line of new Set(summary.totals)) {
      for (const cents of [line + rounding, line - rounding]) if (cents % COIN === 0) vote('rounding', cents, 2);
    }
  }
  const bought = items.reduce((sum, { price }) => sum + price, 0);
  for (const base of new Set([subtotal ?? 0, bought])) {
    if (base <= 0) continue;
    for (const added of new Set([0, tax, service, tax + service])) {
      // A printed charge is usually added, but prices may already include the tax.
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
    // After rounding, a total that does not end on a coin is the one before rounding, or misread.
    const unround = rounding !== 0 && cents % COIN !== 0;
    return { source: 'line', cents, weight: at > 0 || unround ? 1 : rounded ? 3 : 2 };
  });
  return [...labelled, ...unlabelled(summary).map((cents): Vote => ({ source: 'line', cents, weight: 1 }))];
}

function tenderVotes({ cash, change }: Summary): Vote[] {
  if (cash === undefined) return [];
  if (change === undefined) return [{ source: 'tender', cents: cash, weight: 1 }];
  return change >= 0 && change < cash ? [{ source: 'tender', cents: cash - change, weight: 2 }] : [];
}

/** A row with an unreadable label counts only if it shows subtotal plus charges, because it may otherwise be cash. */
function unlabelled({ subtotal, tax = 0, service = 0, rounding = 0, loose }: Summary): number[] {
  const charged = tax + service;
  if (subtotal === undefined || charged <= 0) return [];
  return loose.filter((cents) => cents === subtotal + charged || cents === subtotal + charged + rounding);
}

export interface ElectedTotal {
  readonly cents: number;
  /** The sources that agree on the amount. */
  readonly sources: readonly Source[];
  /** True if another amount has as many votes. */
  readonly tie: boolean;
}

/** The amount with the most agreement. Each source counts once per amount, with its highest weight. */
export function electTotal(votes: readonly Vote[]): ElectedTotal | undefined {
  const amounts = Map.groupBy(votes, ({ cents }) => cents);
  const ranked = [...amounts]
    .map(([cents, cast]) => {
      const sources = [...new Set(cast.map(({ source }) => source))];
      const weights = sources.map((source) =>
        Math.max(...cast.filter((one) => one.source === source).map((one) => one.weight)),
      );
      return {
        cents,
        sources,
        weight: weights.reduce((sum, weight) => sum + weight, 0) + (sources.length > 1 ? 1 : 0),
      };
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = ranked;
  return first && { cents: first.cents, sources: first.sources, tie: second?.weight === first.weight };
}

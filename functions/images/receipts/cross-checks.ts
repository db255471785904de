import type { Item } from './items.ts';
import type { Place } from './receipt.ts';
import type { Summary } from './totals.ts';

/** Independent sources of a total. Two that agree are evidence, because OCR rarely makes the same mistake twice. */
type Voter = 'line' | 'rounding' | 'tender' | 'sum';

/** The smallest coin that countries round cash totals to, in cents. */
export const COIN = 5;

export interface Vote {
  readonly voter: Voter;
  readonly cents: number;
  /** The weight of the vote where no two voters agree. */
  readonly weight: number;
}

/**
 * Collects all evidence of the amount paid. The sum of the items and the sum of subtotal and tax are one voter, because
 * they are equal if both are right.
 */
export function totalVotes(summary: Summary, items: readonly Pick<Item, 'price'>[]): Vote[] {
  const { subtotal, tax = 0, service = 0, rounding = 0 } = summary;
  const votes: Vote[] = [...lineVotes(summary), ...tenderVotes(summary)];
  const vote = (voter: Voter, cents: number, weight: number) => {
    if (cents > 0) votes.push({ voter, cents, weight });
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
    return { voter: 'line', cents, weight: at > 0 || unround ? 1 : rounded ? 3 : 2 };
  });
  return [...labelled, ...unlabelled(summary).map((cents): Vote => ({ voter: 'line', cents, weight: 1 }))];
}

function tenderVotes({ cash, change }: Summary): Vote[] {
  if (cash === undefined) return [];
  if (change === undefined) return [{ voter: 'tender', cents: cash, weight: 1 }];
  return change >= 0 && change < cash ? [{ voter: 'tender', cents: cash - change, weight: 2 }] : [];
}

/** A row with an unreadable label counts only if it shows subtotal plus charges, because it may otherwise be cash. */
function unlabelled({ subtotal, tax = 0, service = 0, rounding = 0, loose }: Summary): number[] {
  const charged = tax + service;
  if (subtotal === undefined || charged <= 0) return [];
  return loose.filter((cents) => cents === subtotal + charged || cents === subtotal + charged + rounding);
}

export interface ElectedTotal {
  readonly cents: number;
  /** The voters that agree on the amount. */
  readonly voters: readonly Voter[];
  /** True if another amount has as many votes. */
  readonly tie: boolean;
}

/** The amount with the most agreement. Each voter counts once per amount, with its highest weight. */
export function electTotal(votes: readonly Vote[]): ElectedTotal | undefined {
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

/** An item with its position on the opened page. */
export interface PlacedItem extends Omit<Item, 'box'> {
  readonly place: Place;
}

/** The items of one reading. */
export type ItemList = readonly PlacedItem[];

/** Two readings are mixed in at most this many ways: with more, one would add up by chance. */
const MIXTURES_MAX = 16;

/** The list that adds up to one of the sums: as read, up to the line of its sum, or mixed from two readings. */
export function provenItems(lists: readonly ItemList[], sums: ReadonlySet<number>): ItemList | undefined {
  const proven = (items: ItemList) => items.length > 0 && sums.has(sumOf(items));
  const whole = lists.find(proven) ?? lists.map(beforeSum).find(proven);
  if (whole) return whole;
  for (const [at, one] of lists.entries()) {
    for (const other of lists.slice(at + 1)) {
      const mixture = mixtures(one, other).find(proven);
      if (mixture) return mixture;
    }
  }
  return undefined;
}

/**
 * The sums that the items must reach: the subtotal or, if prices include tax, the total before rounding. The printed total
 * before a discount is a subtotal; without such a line, prices before the discount of a single item would pass.
 */
export function sumsOfItems(summaries: readonly Summary[], total: number | undefined): ReadonlySet<number> {
  const sums = new Set<number>();
  if (total === undefined) return sums;
  for (const { subtotal, tax = 0, service = 0, rounding = 0, discount = 0, totals } of summaries) {
    if (subtotal !== undefined) sums.add(subtotal);
    const before = [total, total - rounding, total + rounding, ...totals.filter((line) => Math.abs(line - total) < 10)];
    const gross = total + Math.abs(discount);
    if (totals.includes(gross)) sums.add(gross);
    for (const cents of before) sums.add(cents).add(cents - tax - service);
  }
  return sums;
}

const sumOf = (items: ItemList) => items.reduce((cents, { price }) => cents + price, 0);

/** The items before the first one that costs as much as all before it, which is the sum with a misread label. */
function beforeSum(items: ItemList): ItemList {
  let sum = 0;
  for (const [at, { price }] of items.entries()) {
    if (at > 0 && price === sum) return items.slice(0, at);
    sum += price;
  }
  return items;
}

/**
 * Combines two readings row by row: each row has the price of either, or is left out if one of them lacks it. Empty if
 * they differ in so many rows that a combination might add up by chance.
 */
function mixtures(one: ItemList, other: ItemList): ItemList[] {
  const rows: (readonly (PlacedItem | undefined)[])[] = [];
  const left = [...other];
  for (const item of one) {
    const at = left.findIndex((candidate) => sameRow(candidate, item));
    const [twin] = at < 0 ? [] : left.splice(at, 1);
    rows.push(twin?.price === item.price ? [item] : [item, twin]);
  }
  for (const item of left) rows.push([undefined, item]);
  if (2 ** rows.filter((choices) => choices.length > 1).length > MIXTURES_MAX) return [];
  return rows
    .reduce<ItemList[]>(
      (lists, choices) => lists.flatMap((list) => choices.map((item) => (item ? [...list, item] : list))),
      [[]],
    )
    .map((list) => list.toSorted((a, b) => middleOf(a) - middleOf(b)));
}

function sameRow(a: PlacedItem, b: PlacedItem): boolean {
  const [[aFrom, aTo], [bFrom, bTo]] = [extentOf(a), extentOf(b)];
  return a.place.page === b.place.page && Math.min(aTo, bTo) - Math.max(aFrom, bFrom) > (aTo - aFrom) / 2;
}

/** The vertical extent of an item on its page. */
function extentOf({ place }: PlacedItem): [number, number] {
  const heights = place.corners.map(([, y]) => y);
  return [Math.min(...heights), Math.max(...heights)];
}

function middleOf({ place }: PlacedItem): number {
  const heights = place.corners.map(([, y]) => y);
  return place.page + heights.reduce((sum, y) => sum + y, 0) / heights.length;
}

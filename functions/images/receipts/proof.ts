import type { Item } from './items.ts';
import type { Place } from './receipt.ts';
import type { Summary } from './totals.ts';

/** Independent ways to a total. Two that agree are evidence: misreading makes the same mistake hardly twice. */
type Voter = 'line' | 'rounding' | 'tender' | 'sum';

/** The smallest coin that countries round cash totals to, in cents. */
export const COIN = 5;

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

/** An item, and where it stands on the opened page. */
interface PlacedItem extends Omit<Item, 'box'> {
  readonly place: Place;
}

/** Items as one reading has them. */
export type ItemList = readonly PlacedItem[];

/** Ways to mix two readings. Among more, one would add up by chance. */
const MIXTURES_MAX = 16;

/** The list that adds up to one of the sums, as it was read, up to the line of its sum, or mixed of two readings. */
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

/** What items must add up to: the subtotal, or, where prices hold the tax, the total before it was rounded. */
export function sumsOfItems(summaries: readonly Summary[], total: number | undefined): ReadonlySet<number> {
  const sums = new Set<number>();
  if (total === undefined) return sums;
  for (const { subtotal, tax = 0, service = 0, rounding = 0, totals } of summaries) {
    if (subtotal !== undefined) sums.add(subtotal);
    const before = [total, total - rounding, total + rounding, ...totals.filter((line) => Math.abs(line - total) < 10)];
    for (const cents of before) sums.add(cents).add(cents - tax - service);
  }
  return sums;
}

const sumOf = (items: ItemList) => items.reduce((cents, { price }) => cents + price, 0);

/** Items up to the first that costs as much as all before it: the line of their sum, whose label was misread. */
function beforeSum(items: ItemList): ItemList {
  let sum = 0;
  for (const [at, { price }] of items.entries()) {
    if (at > 0 && price === sum) return items.slice(0, at);
    sum += price;
  }
  return items;
}

/**
 * Every list that has, of each row, what one of two readings has there: its price in either, or no item where one of
 * them has none. Empty if they differ in so many rows that one of the lists might add up by chance.
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

/** From where to where down the page. */
function extentOf({ place }: PlacedItem): [number, number] {
  const heights = place.corners.map(([, y]) => y);
  return [Math.min(...heights), Math.max(...heights)];
}

function middleOf({ place }: PlacedItem): number {
  const heights = place.corners.map(([, y]) => y);
  return place.page + heights.reduce((sum, y) => sum + y, 0) / heights.length;
}

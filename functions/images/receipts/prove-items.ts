import type { Item } from './items.ts';
import type { PagePosition } from './receipt.ts';
import type { Summary } from './summary.ts';

/** An item with its position on the opened page. */
export interface PlacedItem extends Omit<Item, 'box'> {
  readonly place: PagePosition;
}

/** The items of one reading. */
export type ItemList = readonly PlacedItem[];

/** The maximum number of ways to combine two readings. With more, one of them could add up by chance. */
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

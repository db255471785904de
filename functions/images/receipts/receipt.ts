import type { Item } from './items.ts';
import type { ParsedReceipt } from './parse-receipt.ts';
import { elected, totalVotes } from './total-votes.ts';

/** Why a person must look at the reading. */
type Doubt = 'no-total' | 'total-unproven' | 'no-date' | 'date-unsure' | 'items-unproven' | 'no-store';

/** Amounts in cents; undefined is what was not found. */
export interface Receipt {
  readonly store: string | undefined;
  readonly date: string | undefined;
  readonly total: number | undefined;
  readonly subtotal: number | undefined;
  readonly tax: number | undefined;
  readonly items: readonly Item[];
  readonly doubts: readonly Doubt[];
}

/** Voters that must agree on a total before it counts without a person. */
const VOTERS_MIN = 2;
const DATE_CONFIDENCE = 90;

/**
 * One receipt from several readings of the same picture, the most careful first. Votes of all readings count together,
 * and arithmetic decides what is trusted: the confidence of the recogniser says little about whether an amount is right.
 */
export function receiptOf(readings: readonly ParsedReceipt[]): Receipt {
  const total = elected(readings.flatMap(({ summary, items }) => totalVotes(summary, items)));
  const candidates = [...readings, ...readings.map((reading) => ({ ...reading, items: beforeSum(reading.items) }))];
  const agreeing = candidates.find(({ items, summary }) => provesItems(items, summary, total?.cents));
  const main = agreeing ?? readings.toSorted((a, b) => b.items.length - a.items.length)[0];
  const date = electedDate(readings);
  const store = readings.find((reading) => reading.store !== undefined)?.store;
  const doubts: Doubt[] = [];
  if (total === undefined) doubts.push('no-total');
  else if (total.tie || total.voters.length < VOTERS_MIN) doubts.push('total-unproven');
  if (date === undefined) doubts.push('no-date');
  else if (!date.sure) doubts.push('date-unsure');
  if (!agreeing) doubts.push('items-unproven');
  if (store === undefined) doubts.push('no-store');
  return {
    store,
    date: date?.day,
    total: total?.cents,
    subtotal: first(readings, ({ summary }) => summary.subtotal),
    tax: first(readings, ({ summary }) => summary.tax),
    items: main?.items ?? [],
    doubts,
  };
}

function first<T>(readings: readonly ParsedReceipt[], value: (reading: ParsedReceipt) => T | undefined): T | undefined {
  return readings.map(value).find((found) => found !== undefined);
}

/** Items up to the first that costs as much as all before it: the line of their sum, whose label was misread. */
function beforeSum(items: ParsedReceipt['items']): ParsedReceipt['items'] {
  let sum = 0;
  for (const [at, { price }] of items.entries()) {
    if (at > 0 && price === sum) return items.slice(0, at);
    sum += price;
  }
  return items;
}

/** Items are proven by the subtotal, or, where prices hold the tax, by the total before it was rounded. */
function provesItems(
  items: ParsedReceipt['items'],
  { subtotal, tax = 0, service = 0, rounding = 0, totals }: ParsedReceipt['summary'],
  total: number | undefined,
): boolean {
  if (items.length === 0 || total === undefined) return false;
  const sum = items.reduce((cents, { price }) => cents + price, 0);
  const before = [total, total - rounding, total + rounding, ...totals.filter((line) => Math.abs(line - total) < 10)];
  return sum === subtotal || before.some((cents) => sum === cents || sum + tax + service === cents);
}

/**
 * The day that most readings show. Two readings of one blurred digit make the same mistake, and no arithmetic tells: the
 * day is sure only if the recogniser was so too, at least once.
 */
function electedDate(readings: readonly ParsedReceipt[]): { day: string; sure: boolean } | undefined {
  const firsts = readings.flatMap(({ dates }) => dates[0] ?? []);
  const days = [...Map.groupBy(firsts, ({ day }) => day)]
    .map(([day, found]) => ({ day, found, worth: found.reduce((sum, { worth }) => sum + worth, 0) }))
    .sort((a, b) => b.worth - a.worth);
  const [best] = days;
  const sure = best && best.found.length > 1 && best.found.some(({ confidence }) => confidence >= DATE_CONFIDENCE);
  return best && { day: best.day, sure: sure === true };
}

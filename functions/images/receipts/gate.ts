import type { Label, Locale } from './locales.ts';
import type { ParsedReceipt } from './parse-receipt.ts';
import type { Doubt, Place, ReadReceipt } from './receipt.ts';
import { type Elected, elected, totalVotes } from './total-votes.ts';

/** Voters that must agree on a total before it counts without a person. */
const VOTERS_MIN = 2;
const DATE_CONFIDENCE = 90;
/** The smallest coin that countries round cash to, in cents. */
const COIN = 5;

/**
 * One receipt from several readings of the same picture, the most careful first. Votes of all readings count together,
 * and arithmetic decides what is trusted: the confidence of the recogniser says little about whether an amount is right.
 */
export function receiptOf(readings: readonly ParsedReceipt[], { currency }: Pick<Locale, 'currency'>): ReadReceipt {
  const total = elected(readings.flatMap(({ summary, items }) => totalVotes(summary, items)));
  const candidates = [...readings, ...readings.map((reading) => ({ ...reading, items: beforeSum(reading.items) }))];
  const agreeing = candidates.find(({ items, summary }) => provesItems(items, summary, total?.cents));
  const main = agreeing ?? readings.toSorted((a, b) => b.items.length - a.items.length)[0];
  const date = electedDate(readings);
  const named = readings.find(({ store }) => store !== undefined);
  const subtotal = first(readings, ({ summary }) => summary.subtotal);
  const tax = first(readings, ({ summary }) => summary.tax);
  return {
    store: named?.store?.name,
    head: named?.head ?? readings[0]?.head ?? [],
    date: date?.day,
    time: first(readings, (reading) => reading.time),
    number: first(readings, (reading) => reading.number),
    total: total?.cents,
    subtotal,
    tax,
    currency,
    regions: [...new Set(readings.flatMap(({ regions }) => regions))],
    items: main?.items.map(({ box, ...item }) => ({ ...item, place: main.place(box) })) ?? [],
    doubts: doubtsOf({
      total,
      lines: readings.flatMap(({ summary }) => summary.totals),
      date,
      itemsProven: agreeing !== undefined,
      named: named !== undefined,
    }),
    places: {
      store: named?.store && named.place(named.store.box),
      date: date?.place,
      total: placeOf(readings, total?.cents, ['rounded-total', 'total', 'tender']),
      subtotal: placeOf(readings, subtotal, ['subtotal']),
      tax: placeOf(readings, tax, ['tax']),
    },
  };
}

interface Findings {
  readonly total: Elected | undefined;
  /** Amounts of all lines of a total. */
  readonly lines: readonly number[];
  readonly date: { readonly sure: boolean } | undefined;
  readonly itemsProven: boolean;
  readonly named: boolean;
}

function doubtsOf({ total, lines, date, itemsProven, named }: Findings): Doubt[] {
  const doubts: Doubt[] = [];
  if (total === undefined) doubts.push('no-total');
  else if (total.tie || total.voters.length < VOTERS_MIN || perhapsRounded(total, lines)) doubts.push('total-unproven');
  if (date === undefined) doubts.push('no-date');
  else if (!date.sure) doubts.push('date-unsure');
  if (!itemsProven) doubts.push('items-unproven');
  if (!named) doubts.push('no-store');
  return doubts;
}

/** Another line has nearly the same amount, and one that ends on a coin: what was paid may be that. */
function perhapsRounded({ cents }: Elected, lines: readonly number[]): boolean {
  return cents % COIN !== 0 && lines.some((line) => line % COIN === 0 && Math.abs(line - cents) < COIN);
}

/** Where the amount stands beside one of the labels; those named first go before the others. */
function placeOf(
  readings: readonly ParsedReceipt[],
  cents: number | undefined,
  labels: readonly Label[],
): Place | undefined {
  if (cents === undefined) return undefined;
  for (const wanted of labels) {
    for (const { labelled, place } of readings) {
      const line = labelled.find((row) => row.label === wanted && row.cents === cents);
      if (line) return place(line.box);
    }
  }
  return undefined;
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
function electedDate(readings: readonly ParsedReceipt[]): { day: string; sure: boolean; place: Place } | undefined {
  const firsts = readings.flatMap(({ dates: [date], place }) => (date ? { ...date, place } : []));
  const days = [...Map.groupBy(firsts, ({ day }) => day)]
    .map(([day, found]) => ({ day, found, worth: found.reduce((sum, { worth }) => sum + worth, 0) }))
    .sort((a, b) => b.worth - a.worth);
  const [best] = days;
  const [seen] = best?.found ?? [];
  const sure = best && best.found.length > 1 && best.found.some(({ confidence }) => confidence >= DATE_CONFIDENCE);
  return best && seen && { day: best.day, sure: sure === true, place: seen.place(seen.box) };
}

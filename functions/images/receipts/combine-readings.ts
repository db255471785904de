import { COIN, type ElectedTotal, electTotal, totalVotes } from './elect-total.ts';
import type { Label, Locale } from './locales.ts';
import type { ItemsAndAmounts, ParsedReceipt } from './parse-receipt.ts';
import { type ItemList, type PlacedItem, provenItems, sumsOfItems } from './prove-items.ts';
import type { PagePosition, ReadingDoubt, ReadReceipt } from './receipt.ts';

/** A total is trusted if this many sources agree. */
const SOURCES_MIN = 2;
const DATE_CONFIDENCE = 90;
/** This many close-ups must show the same day, and none another. */
const CLOSE_UPS_MIN = 3;
/** A date with a 6 in its month or day. A blurred 5 and a faint 8 can look like a 6 in every close-up. */
const AMBIGUOUS_DAY = /-\d*6\d*(?:-|$)/;

/**
 * Combines several readings of one picture into a receipt, the most careful reading first. All votes count together,
 * and arithmetic decides what is trusted: the recogniser's confidence says little about whether an amount is right.
 */
export function receiptOf(readings: readonly ParsedReceipt[], { currency }: Pick<Locale, 'currency'>): ReadReceipt {
  const placedReadings = readings.map((reading) => reading.accounts.map((account) => placed(account, reading)));
  const accounts = placedReadings.flat();
  const total = electedTotal(accounts);
  const lists = accounts.map(({ items }) => items);
  const summaries = accounts.map(({ summary }) => summary);
  const proven = provenItems(lists, sumsOfItems(summaries, total?.cents));
  const items = proven ?? lists.toSorted((a, b) => b.length - a.length)[0] ?? [];
  const date = electDate(readings);
  const withStore = mostLegibleName(readings);
  const subtotal = first(summaries, (summary) => summary.subtotal);
  const tax = first(summaries, (summary) => summary.tax);
  return {
    store: withStore?.store?.name,
    head: withStore?.head ?? readings[0]?.head ?? [],
    date: date?.day,
    time: first(readings, (reading) => reading.time),
    number: first(readings, (reading) => reading.number),
    total: total?.cents,
    subtotal,
    tax,
    currency,
    regions: [...new Set(readings.flatMap(({ regions }) => regions))],
    items: items.map((item) => ({ ...item, readings: readingsOf(item, placedReadings) })),
    readings: {
      store: readings.flatMap(({ store }) => store?.name ?? []),
      date: readings.flatMap(({ dates: [date], closeUps = [] }) =>
        [date?.day, ...closeUps].filter((day) => day !== undefined),
      ),
      total: placedReadings.flatMap((each) => electedTotal(each)?.cents ?? []),
    },
    doubts: doubtsOf({
      total,
      lines: summaries.flatMap(({ totals }) => totals),
      date,
      dateHinted: readings.some(({ hintsAtDate }) => hintsAtDate),
      itemsProven: proven !== undefined,
      named: withStore !== undefined,
      foreign: readings.some(({ foreign }) => foreign),
      noPurchase: readings.some(({ noPurchase }) => noPurchase),
    }),
    places: {
      store: withStore?.store && withStore.place(withStore.store.box),
      date: date?.place,
      total: placeOf(accounts, total?.cents, ['rounded-total', 'total', 'tender']),
      subtotal: placeOf(accounts, subtotal, ['subtotal']),
      tax: placeOf(accounts, tax, ['tax']),
    },
  };
}

const electedTotal = (accounts: readonly PlacedItemsAndAmounts[]): ElectedTotal | undefined =>
  electTotal(accounts.flatMap(({ summary, items }) => totalVotes(summary, items)));

/** The item as each reading has it. */
function readingsOf(item: PlacedItem, readings: readonly (readonly PlacedItemsAndAmounts[])[]) {
  return readings.flatMap((accounts) => {
    const [match] = accounts.flatMap(({ items }) =>
      items.filter((other) => other.place.page === item.place.page && isWithin(other.place, item.place)),
    );
    return match ? [{ name: match.name, quantity: match.quantity, price: match.price }] : [];
  });
}

/** True if the middle of one place is within the corners of the other, whichever way up the page lies. */
function isWithin(one: PagePosition, other: PagePosition): boolean {
  return ([0, 1] as const).every((axis) => {
    const [own, around] = [one, other].map(({ corners }) => corners.map((corner) => corner[axis]));
    const middle = own!.reduce((sum, value) => sum + value, 0) / own!.length;
    return middle >= Math.min(...around!) && middle <= Math.max(...around!);
  });
}

/** The reading with the most confident name. An earlier one may have garbled it. */
const mostLegibleName = (readings: readonly ParsedReceipt[]): ParsedReceipt | undefined =>
  readings
    .filter(({ store }) => store !== undefined)
    .toSorted((one, other) => (other.store?.confidence ?? 0) - (one.store?.confidence ?? 0))[0];

/** The facts from which `doubtsOf` derives the doubts. */
interface DoubtEvidence {
  readonly total: ElectedTotal | undefined;
  /** The amounts of all total lines. */
  readonly lines: readonly number[];
  readonly date: { readonly sure: boolean } | undefined;
  /** True if no date was found although there may be one. */
  readonly dateHinted: boolean;
  readonly itemsProven: boolean;
  readonly named: boolean;
  readonly foreign: boolean;
  readonly noPurchase: boolean;
}

function doubtsOf(evidence: DoubtEvidence): ReadingDoubt[] {
  const { total, lines, date, dateHinted, itemsProven, named, foreign, noPurchase } = evidence;
  const doubts: ReadingDoubt[] = [];
  if (total === undefined) doubts.push('no-total');
  else if (total.tie || total.sources.length < SOURCES_MIN || perhapsRounded(total, lines))
    doubts.push('total-unproven');
  if (date === undefined) doubts.push(dateHinted ? 'date-unread' : 'no-date');
  else if (!date.sure) doubts.push('date-unsure');
  if (!itemsProven) doubts.push('items-unproven');
  if (!named) doubts.push('no-store');
  if (foreign) doubts.push('other-locale');
  if (noPurchase) doubts.push('no-purchase');
  return doubts;
}

/** True if another line has nearly the same amount and ends on a coin, so that it may be the amount paid. */
function perhapsRounded({ cents }: ElectedTotal, lines: readonly number[]): boolean {
  return cents % COIN !== 0 && lines.some((line) => line % COIN === 0 && Math.abs(line - cents) < COIN);
}

/** The position of the amount beside one of the labels, which are tried in order. */
function placeOf(
  accounts: readonly PlacedItemsAndAmounts[],
  cents: number | undefined,
  labels: readonly Label[],
): PagePosition | undefined {
  if (cents === undefined) return undefined;
  for (const label of labels) {
    for (const { labelled, place } of accounts) {
      const line = labelled.find((row) => row.label === label && row.cents === cents);
      if (line) return place(line.box);
    }
  }
  return undefined;
}

function first<From, T>(from: readonly From[], value: (one: From) => T | undefined): T | undefined {
  return from.map(value).find((place) => place !== undefined);
}

interface PlacedItemsAndAmounts extends Omit<ItemsAndAmounts, 'items'>, Pick<ParsedReceipt, 'place'> {
  readonly items: ItemList;
}

function placed({ items, ...account }: ItemsAndAmounts, { place }: ParsedReceipt): PlacedItemsAndAmounts {
  return { ...account, place, items: items.map(({ box, ...item }) => ({ ...item, place: place(box) })) };
}

interface ElectedDate {
  readonly day: string;
  readonly sure: boolean;
  readonly place: PagePosition | undefined;
}

/**
 * The day that most readings show. Two readings of one blurred digit make the same mistake, and arithmetic cannot tell.
 * So the day is sure only if close-ups confirm it, or if two readings agree, one was confident, and no close-up
 * contradicts.
 */
function electDate(readings: readonly ParsedReceipt[]): ElectedDate | undefined {
  const firsts = readings.flatMap(({ dates: [date], place }) => (date ? { ...date, place: place(date.box) } : []));
  const days = [...Map.groupBy(firsts, ({ day }) => day)]
    .map(([day, matches]) => ({ day, matches, worth: matches.reduce((sum, { worth }) => sum + worth, 0) }))
    .sort((a, b) => b.worth - a.worth);
  const closeUps = readings.flatMap(({ closeUps: days = [] }) => days.filter((day) => day !== undefined));
  const [closeUp, ...others] = new Set(closeUps);
  const agreed = others.length === 0 && closeUps.length >= CLOSE_UPS_MIN ? closeUp : undefined;
  const [best] = days;
  if (!best || (agreed !== undefined && agreed !== best.day)) {
    const place = best?.matches[0]?.place;
    return agreed === undefined ? undefined : { day: agreed, sure: false, place };
  }
  const surely = best.matches.length > 1 && best.matches.some(({ confidence }) => confidence >= DATE_CONFIDENCE);
  const refuted = closeUps.some((day) => day !== best.day);
  const sure = (surely && !refuted) || (agreed === best.day && days.length === 1 && !AMBIGUOUS_DAY.test(best.day));
  return { day: best.day, sure, place: best.matches[0]?.place };
}

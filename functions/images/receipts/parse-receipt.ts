import type { Box, Page } from '../ocr/ocr.ts';
import { amountsOf, withPoints } from './amounts.ts';
import { type DateMatch, datesOf, hintsAtDate } from './dates.ts';
import { type Item, itemsOf } from './items.ts';
import { contradicts, type Locale } from './locales.ts';
import { type FoundStore, numberOf, regionsOf, storeOf, timeOf, titledOtherwise } from './particulars.ts';
import type { PagePosition } from './receipt.ts';
import { printIn, type Row, rowsOf } from './rows.ts';
import { type LabelledRow, labelledRows, type Summary, summaryOf } from './summary.ts';

/** The result of one reading of a receipt. */
export interface ParsedReceipt {
  readonly head: readonly string[];
  readonly store: FoundStore | undefined;
  readonly dates: readonly DateMatch[];
  /** True if no date was found although there may be one. */
  readonly hintsAtDate: boolean;
  /** The days that close-ups of the first date show, if close-ups were made. */
  readonly closeUps?: readonly (string | undefined)[] | undefined;
  readonly time: string | undefined;
  readonly number: string | undefined;
  readonly regions: readonly string[];
  /** True if the text is not written as in the country. */
  readonly foreign: boolean;
  /** True if its title is that of another paper than a receipt. */
  readonly noPurchase: boolean;
  /** The items and amounts of the rows as printed and, if it makes a difference, with restored decimal points. */
  readonly accounts: readonly ItemsAndAmounts[];
  /**
   * A score of resemblance to a receipt: a point per row with money, two per row with a label such as TOTAL, three
   * for a date. Letters and posters score 0, menus a little; real receipts score ten and more.
   */
  readonly score: number;
  /** Returns the position of a box on the opened pages, with the words in it. */
  readonly place: (box: Box) => PagePosition;
}

/** The items and amounts of a receipt. */
export interface ItemsAndAmounts {
  readonly labelled: readonly LabelledRow[];
  readonly summary: Summary;
  readonly items: readonly Item[];
}

/** The head holds the name, the address and the details of the store. */
const HEAD_ROWS = 12;

export function parseReceipt(
  page: Page,
  locale: Locale,
  place: (box: Box) => PagePosition = (box) => placeOn(page, box),
): ParsedReceipt {
  const rows = rowsOf(page.words);
  const pointed = withPoints(rows, locale);
  const restored = pointed.some((row, at) => row !== rows[at]);
  const dates = datesOf(rows, locale);
  const accounts = [rows, ...(restored ? [pointed] : [])].map((each) => itemsAndAmountsOf(each, locale));
  return {
    head: rows.slice(0, HEAD_ROWS).map(({ text }) => text),
    store: storeOf(rows, locale),
    dates,
    hintsAtDate: hintsAtDate(rows),
    time: timeOf(rows, dates[0]),
    number: numberOf(rows),
    regions: regionsOf(rows, locale),
    foreign: contradicts(rows, locale),
    noPurchase: titledOtherwise(rows),
    accounts,
    score: moneyRows(rows, locale) + 2 * (accounts[0]?.labelled.length ?? 0) + (dates.length > 0 ? 3 : 0),
    place: (box) => ({ ...place(box), ...printIn(page.words, box) }),
  };
}

function itemsAndAmountsOf(rows: readonly Row[], locale: Locale): ItemsAndAmounts {
  const labelled = labelledRows(rows, locale);
  return { labelled, summary: summaryOf(labelled, rows, locale), items: itemsOf(rows, labelled, locale) };
}

/** The position on a page that was read as it is. */
function placeOn({ width, height }: Page, { left, top, right, bottom }: Box): PagePosition {
  const [x0, y0, x1, y1] = [left / width, top / height, right / width, bottom / height];
  return {
    page: 0,
    corners: [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ],
  };
}

function moneyRows(rows: readonly Row[], locale: Locale): number {
  return rows.filter((row) => amountsOf(row, locale).length > 0).length;
}

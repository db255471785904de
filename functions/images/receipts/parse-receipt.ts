import type { Box, Page } from '../ocr/ocr.ts';
import { amountsOf, withPoints } from './amounts.ts';
import { type DateMatch, datesOf, hintsAtDate } from './dates.ts';
import { type Item, itemsOf } from './items.ts';
import { contradicts, type Locale } from './locales.ts';
import { type FoundStore, numberOf, regionsOf, storeOf, timeOf } from './particulars.ts';
import type { Place } from './receipt.ts';
import { printIn, type Row, rowsOf } from './rows.ts';
import { type LabelledRow, labelledRows, type Summary, summaryOf } from './totals.ts';

/** What one reading of a receipt says. */
export interface ParsedReceipt {
  readonly head: readonly string[];
  readonly store: FoundStore | undefined;
  readonly dates: readonly DateMatch[];
  /** Whether there may be a date, if none was found. */
  readonly hintsAtDate: boolean;
  /** What close-ups of the first date show, where they were made. */
  readonly closeUps?: readonly (string | undefined)[] | undefined;
  readonly time: string | undefined;
  readonly number: string | undefined;
  readonly regions: readonly string[];
  /** Whether the text is not written as in the country. */
  readonly foreign: boolean;
  /** As the rows stand, and, where that makes a difference, with the points that amounts have lost. */
  readonly accounts: readonly Account[];
  /**
   * How much the print is that of a receipt: a point for each row that shows money, two for each with a label such as
   * TOTAL, three for a date. Letters and posters have none, menus a few; real receipts have ten and more.
   */
  readonly score: number;
  /** Where on the opened pages something stands, and which words stand there. */
  readonly place: (box: Box) => Place;
}

/** What was bought and what it cost. */
export interface Account {
  readonly labelled: readonly LabelledRow[];
  readonly summary: Summary;
  readonly items: readonly Item[];
}

/** The name, the address and the particulars of the store. */
const HEAD_ROWS = 12;

export function parseReceipt(
  page: Page,
  locale: Locale,
  place: (box: Box) => Place = (box) => placeOn(page, box),
): ParsedReceipt {
  const rows = rowsOf(page.words);
  const pointed = withPoints(rows, locale);
  const restored = pointed.some((row, at) => row !== rows[at]);
  const dates = datesOf(rows, locale);
  const accounts = [rows, ...(restored ? [pointed] : [])].map((each) => accountOf(each, locale));
  return {
    head: rows.slice(0, HEAD_ROWS).map(({ text }) => text),
    store: storeOf(rows, locale),
    dates,
    hintsAtDate: hintsAtDate(rows),
    time: timeOf(rows, dates[0]),
    number: numberOf(rows),
    regions: regionsOf(rows, locale),
    foreign: contradicts(rows, locale),
    accounts,
    score: moneyRows(rows, locale) + 2 * (accounts[0]?.labelled.length ?? 0) + (dates.length > 0 ? 3 : 0),
    place: (box) => ({ ...place(box), ...printIn(page.words, box) }),
  };
}

function accountOf(rows: readonly Row[], locale: Locale): Account {
  const labelled = labelledRows(rows, locale);
  return { labelled, summary: summaryOf(labelled, rows, locale), items: itemsOf(rows, labelled, locale) };
}

/** For a page that was read as it is. */
function placeOn({ width, height }: Page, { left, top, right, bottom }: Box): Place {
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

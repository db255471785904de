import type { Box, Page } from '../ocr/ocr.ts';
import { datesOf, type FoundDate } from './dates.ts';
import { type Item, itemsOf } from './items.ts';
import type { Locale } from './locales.ts';
import { numberOf, regionsOf, timeOf } from './particulars.ts';
import type { Place } from './receipt.ts';
import { rowsOf } from './rows.ts';
import { type FoundStore, storeOf } from './store.ts';
import { type LabelledRow, labelledRows, type Summary, summaryOf } from './totals.ts';

/** What one reading of a receipt says. */
export interface ParsedReceipt {
  readonly head: readonly string[];
  readonly store: FoundStore | undefined;
  readonly dates: readonly FoundDate[];
  readonly time: string | undefined;
  readonly number: string | undefined;
  readonly regions: readonly string[];
  readonly labelled: readonly LabelledRow[];
  readonly summary: Summary;
  readonly items: readonly Item[];
  /** Where on the opened pages something stands. */
  readonly place: (box: Box) => Place;
}

/** The name, the address and the particulars of the store. */
const HEAD_ROWS = 12;

export function parseReceipt(
  page: Page,
  locale: Locale,
  place: (box: Box) => Place = (box) => placeOn(page, box),
): ParsedReceipt {
  const rows = rowsOf(page.words);
  const labelled = labelledRows(rows, locale);
  const dates = datesOf(rows, locale);
  return {
    head: rows.slice(0, HEAD_ROWS).map(({ text }) => text),
    store: storeOf(rows, locale),
    dates,
    time: timeOf(rows, dates[0]),
    number: numberOf(rows),
    regions: regionsOf(rows, locale),
    labelled,
    summary: summaryOf(labelled),
    items: itemsOf(rows, labelled, locale),
    place,
  };
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

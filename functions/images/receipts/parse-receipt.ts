import type { Page } from '../ocr/ocr.ts';
import { datesOf, type FoundDate } from './dates.ts';
import { type Item, itemsOf } from './items.ts';
import type { Locale } from './locales.ts';
import { receiptScore } from './receipt-score.ts';
import { rowsOf } from './rows.ts';
import { storeOf } from './store.ts';
import { labelledRows, type Summary, summaryOf } from './totals.ts';

/** What one reading of a receipt says. */
export interface ParsedReceipt {
  readonly store: string | undefined;
  readonly dates: readonly FoundDate[];
  readonly summary: Summary;
  readonly items: readonly Item[];
  /** How much this is a receipt. */
  readonly score: number;
}

export function parseReceipt(page: Page, locale: Locale): ParsedReceipt {
  const rows = rowsOf(page.words);
  const labelled = labelledRows(rows, locale);
  const dates = datesOf(rows, locale);
  return {
    store: storeOf(rows, locale),
    dates,
    summary: summaryOf(labelled),
    items: itemsOf(rows, labelled, locale),
    score: receiptScore(rows, { labels: labelled.length, dates: dates.length, locale }),
  };
}

import { amountsOf } from './amounts.ts';
import type { Locale } from './locales.ts';
import type { Row } from './rows.ts';

/**
 * How much the rows are those of a receipt: a point for each that shows money, two for each with a label such as TOTAL,
 * three for a date. Letters and posters have none, menus a few; a real receipt has more than ten.
 */
export function receiptScore(
  rows: readonly Row[],
  { labels, dates, locale }: { readonly labels: number; readonly dates: number; readonly locale: Locale },
): number {
  const money = rows.filter((row) => amountsOf(row, locale).length > 0).length;
  return money + 2 * labels + (dates > 0 ? 3 : 0);
}

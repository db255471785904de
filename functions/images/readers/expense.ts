import type { ExpenseDocument } from '@aws-sdk/client-textract';
import type { Box } from '../ocr/ocr.ts';
import { receiptOf } from '../receipts/combine-readings.ts';
import type { Locale } from '../receipts/locales.ts';
import { type ParsedReceipt, parseReceipt } from '../receipts/parse-receipt.ts';
import { joined, placeOf } from '../receipts/sheets.ts';
import { fieldAccount, fieldDates, type PlacedFields, placedFields, surest } from './expense-fields.ts';
import { type AnalyzedPage, type ExpenseSheet, expenseSheet } from './expense-sheet.ts';
import type { ReceiptReading } from './read-receipt.ts';

/** Textract distinguishes these currencies. For others it names one of these or none. */
const CURRENCIES = new Set(['USD', 'EUR', 'GBP', 'CAD', 'INR', 'JPY', 'CHF', 'AUD', 'CNY', 'SEK', 'HKD']);
const CURRENCY_CONFIDENCE = 90;

/**
 * Reads a receipt from Textract's answers, under the same gate as other readings: once from its words, as we parse
 * them, and once from its fields. Both come from one recognition, so the date counts once and stays in doubt until
 * another recogniser confirms it.
 */
export function receiptOfExpenses(pages: readonly AnalyzedPage[], locale: Locale): ReceiptReading {
  const sheets = pages.map(expenseSheet);
  const page = joined(sheets);
  if (page.words.length === 0) return { receipt: receiptOf([], locale), passes: 1, words: 0, score: 0 };
  const parsed = parseReceipt(page, locale, (box) => placeOf(sheets, box));
  const receipt = receiptOf(readings(parsed, fieldsOf(pages, sheets), locale), locale);
  const doubts = isForeign(pages, locale) ? [...receipt.doubts, 'other-locale' as const] : receipt.doubts;
  return { receipt: { ...receipt, doubts }, passes: 1, words: page.words.length, score: parsed.score };
}

function readings(parsed: ParsedReceipt, fields: PlacedFields | undefined, locale: Locale): ParsedReceipt[] {
  if (!fields) return [parsed];
  const dates = fieldDates(fields, locale);
  const store = surest(fields, 'VENDOR_NAME');
  const own: ParsedReceipt = {
    ...parsed,
    store: store ? { name: store.text, confidence: store.confidence, box: store.box } : parsed.store,
    number: surest(fields, 'INVOICE_RECEIPT_ID')?.text.toUpperCase() ?? parsed.number,
    dates: dates.length > 0 ? dates : parsed.dates,
    accounts: [fieldAccount(fields, locale)],
  };
  return [own, { ...parsed, store: own.store, dates: [] }];
}

/** Undefined if a page shows several receipts, because their fields cannot be matched to other pages. */
function fieldsOf(pages: readonly AnalyzedPage[], sheets: readonly ExpenseSheet[]): PlacedFields | undefined {
  if (pages.some(({ documents }) => documents.length > 1)) return undefined;
  let above = 0;
  const fields = pages.map(({ documents: [document] }, at) => {
    const sheet = sheets[at]!;
    const down = above;
    above += sheet.read.height;
    return placedFields(document ?? ({} satisfies ExpenseDocument), ({ ValueDetection }) =>
      lowered(sheet.boxOf(ValueDetection?.Geometry), down),
    );
  });
  return { summary: fields.flatMap(({ summary }) => summary), lines: fields.flatMap(({ lines }) => lines) };
}

const lowered = (box: Box, by: number): Box => ({ ...box, top: box.top + by, bottom: box.bottom + by });

/** True if the amounts are in another currency than the country's, as far as Textract can tell. */
function isForeign(pages: readonly AnalyzedPage[], { currency }: Locale): boolean {
  if (!CURRENCIES.has(currency)) return false;
  const fields = pages.flatMap(({ documents }) => documents.flatMap(({ SummaryFields = [] }) => SummaryFields));
  return fields.some(({ Currency: amountCurrency }) => {
    const { Code: code, Confidence: confidence = 0 } = amountCurrency ?? {};
    return code !== undefined && code !== currency && confidence >= CURRENCY_CONFIDENCE;
  });
}

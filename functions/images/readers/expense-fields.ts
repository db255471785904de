import type { ExpenseDocument, ExpenseField, LineItemFields } from '@aws-sdk/client-textract';
import type { Box, Word } from '../ocr/ocr.ts';
import { amountsOf } from '../receipts/amounts.ts';
import { type DateMatch, datesOf } from '../receipts/dates.ts';
import type { Item } from '../receipts/items.ts';
import { labelOf } from '../receipts/labels.ts';
import type { Label, Locale } from '../receipts/locales.ts';
import type { ItemsAndAmounts } from '../receipts/parse-receipt.ts';
import { boxAround, type Row } from '../receipts/rows.ts';
import { type LabelledRow, summaryOf } from '../receipts/summary.ts';

/** A Textract field with the box of its value on the joined sheets. */
export interface PlacedField {
  readonly type: string;
  readonly label: string;
  readonly text: string;
  readonly confidence: number;
  readonly box: Box;
}

export interface PlacedFields {
  readonly summary: readonly PlacedField[];
  readonly lines: readonly (readonly PlacedField[])[];
}

/** The fields of one document. `boxOf` maps a geometry to the joined sheets. */
export function placedFields(
  { SummaryFields = [], LineItemGroups = [] }: ExpenseDocument,
  boxOf: (field: ExpenseField) => Box,
): PlacedFields {
  const placed = (field: ExpenseField): PlacedField => ({
    type: field.Type?.Text ?? 'OTHER',
    label: oneLine(field.LabelDetection?.Text),
    text: oneLine(field.ValueDetection?.Text),
    confidence: field.ValueDetection?.Confidence ?? 0,
    box: boxOf(field),
  });
  const lines = LineItemGroups.flatMap(({ LineItems = [] }) => LineItems);
  return {
    summary: SummaryFields.map(placed),
    lines: lines.map(({ LineItemExpenseFields = [] }: LineItemFields) => LineItemExpenseFields.map(placed)),
  };
}

const oneLine = (text = '') => text.replace(/\s+/g, ' ').trim();

const LABEL_OF: Readonly<Record<string, Label>> = {
  SUBTOTAL: 'subtotal',
  TAX: 'tax',
  SERVICE_CHARGE: 'service',
  GRATUITY: 'service',
  DISCOUNT: 'discount',
  TOTAL: 'total',
  AMOUNT_DUE: 'total',
  AMOUNT_PAID: 'tender',
};

/**
 * The account of the receipt by Textract's fields. Printed labels outrank its types, for example for a rounded total or
 * change.
 */
export function fieldAccount(fields: PlacedFields, locale: Locale): ItemsAndAmounts {
  const summary = fields.summary.toSorted((a, b) => a.box.top - b.box.top);
  const labelled = summary.flatMap((field, at): LabelledRow[] => {
    const label = labelOf(field.label, locale) ?? LABEL_OF[field.type];
    return label === undefined ? [] : [{ at, label, cents: centsIn(field, locale), box: field.box }];
  });
  return { labelled, summary: summaryOf(labelled, summary.map(rowOf), locale), items: itemsIn(fields, locale) };
}

const DATE = 'INVOICE_RECEIPT_DATE';

/** The date that Textract takes for the receipt's. */
export function fieldDates({ summary }: PlacedFields, locale: Locale): DateMatch[] {
  return summary.filter(({ type }) => type === DATE).flatMap((field) => datesOf([rowOf(field)], locale));
}

/** The field of this type with the highest confidence. */
export function surest({ summary }: PlacedFields, type: string): PlacedField | undefined {
  const candidates = summary.filter((field) => field.type === type && field.text !== '');
  return candidates.toSorted((a, b) => b.confidence - a.confidence)[0];
}

/** The items of Textract's table, without lines that state a sum. */
function itemsIn({ lines }: PlacedFields, locale: Locale): Item[] {
  return lines.flatMap((fields) => {
    const of = (type: string) => fields.find((field) => field.type === type && field.text !== '');
    const [priceField, row] = [of('PRICE'), of('EXPENSE_ROW')];
    const price = priceField && centsIn(priceField, locale);
    const name = of('ITEM')?.text ?? row?.text ?? '';
    const label = labelOf(name, locale);
    if (price === undefined || (label !== undefined && label !== 'discount')) return [];
    const unitField = of('UNIT_PRICE');
    const unit = unitField && centsIn(unitField, locale);
    const code = codeIn(of('PRODUCT_CODE')?.text) ?? codeIn(name);
    return {
      name: name.replace(code ?? '', '').trim(),
      price,
      quantity: quantityOf(of('QUANTITY')?.text, price, unit),
      code,
      box: boxAround((row ? [row] : fields).flatMap((field) => rowOf(field).words)),
    };
  });
}

/** The printed quantity, unless the unit price contradicts it: weights are in the same column. */
function quantityOf(text: string | undefined, price: number, unit: number | undefined): number {
  const quantity = Number(/^\D*(\d{1,3})(?:[.,]0+)?\D*$/.exec(text ?? '')?.[1] ?? 1);
  return quantity > 0 && (unit === undefined || unit * quantity === price) ? quantity : 1;
}

const codeIn = (text = '') => /(?<!\d)\d{8,14}(?!\d)/.exec(text)?.[0];

function centsIn(field: PlacedField, locale: Locale): number | undefined {
  return amountsOf(rowOf(field), locale).at(-1)?.cents;
}

/** The value as words that share its box. */
function rowOf({ text, confidence, box }: PlacedField): Row {
  const words = text.split(' ').map((word): Word => ({ text: word, confidence, box }));
  return { words, text };
}

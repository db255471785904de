/** Answers of AnalyzeExpense, after the API reference of Amazon Textract. None was recorded from the service. */
import type { Block, ExpenseDocument, ExpenseField, Geometry, LineItemFields } from '@aws-sdk/client-textract';
import type { Box, Page } from '../../../functions/images/ocr/ocr.ts';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { readWords } from '../drawn-receipts.ts';

type Size = Pick<GreyImage, 'width' | 'height'>;

function geometryOf({ left, top, right, bottom }: Box, { width, height }: Size): Geometry {
  const [x0, y0, x1, y1] = [left / width, top / height, right / width, bottom / height];
  return {
    BoundingBox: { Left: x0, Top: y0, Width: x1 - x0, Height: y1 - y0 },
    Polygon: [
      { X: x0, Y: y0 },
      { X: x1, Y: y0 },
      { X: x1, Y: y1 },
      { X: x0, Y: y1 },
    ],
  };
}

/** Blocks of a page whose words were read without any fault: of its lines, which repeat the words, as well. */
export function blocksOf(page: Page): Block[] {
  return page.words.flatMap(({ text, confidence, box }): Block[] => [
    { BlockType: 'LINE', Text: text, Confidence: confidence, Geometry: geometryOf(box, page) },
    { BlockType: 'WORD', TextType: 'PRINTED', Text: text, Confidence: confidence, Geometry: geometryOf(box, page) },
  ]);
}

/** A field whose value stands where the page shows this word. */
export function field(type: string, text: string, page: Page, { label = '', at = text } = {}): ExpenseField {
  const word = page.words.find((one) => one.text === at.split(' ').at(-1));
  return {
    Type: { Text: type, Confidence: 99.2 },
    ...(label !== '' && { LabelDetection: { Text: label, Confidence: 98.1 } }),
    ValueDetection: { Text: text, Confidence: 97.4, ...(word && { Geometry: geometryOf(word.box, page) }) },
    PageNumber: 1,
  };
}

export function line(fields: Readonly<Record<string, string>>, page: Page): LineItemFields {
  return { LineItemExpenseFields: Object.entries(fields).map(([type, text]) => field(type, text, page)) };
}

/** Textract's answer to the drawn American receipt. */
export function americanExpense(page: Page): ExpenseDocument {
  return {
    ExpenseIndex: 1,
    SummaryFields: [
      field('VENDOR_NAME', 'GREEN VALLEY\nMARKET', page),
      field('INVOICE_RECEIPT_DATE', '03/05/2018', page),
      field('SUBTOTAL', '17.48', page, { label: 'SUBTOTAL' }),
      field('TAX', '1.22', page, { label: 'TAX' }),
      field('TOTAL', '$18.70', page, { label: 'TOTAL', at: '18.70' }),
      field('OTHER', '20.00', page, { label: 'CASH' }),
      field('OTHER', '1.30', page, { label: 'CHANGE' }),
    ],
    LineItemGroups: [
      {
        LineItemGroupIndex: 1,
        LineItems: [
          line({ ITEM: 'WHOLE MILK', PRICE: '3.49', EXPENSE_ROW: 'WHOLE MILK 3.49' }, page),
          line({ QUANTITY: '2', ITEM: 'BAGELS', PRICE: '5.00', UNIT_PRICE: '2.50' }, page),
          line({ ITEM: 'ROASTED COFFEE', PRICE: '8.99', PRODUCT_CODE: '0123456789012' }, page),
        ],
      },
    ],
    Blocks: blocksOf(page),
  };
}

export const blank = ({ width, height }: Size): GreyImage => ({ width, height, pixels: new Uint8Array(0) });
export const readPage = (rows: readonly string[]): Page => readWords(rows);

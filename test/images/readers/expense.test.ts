import type { ExpenseDocument, Geometry } from '@aws-sdk/client-textract';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../functions/images/ocr/ocr.ts';
import { receiptOfExpenses } from '../../../functions/images/readers/expense.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { AMERICAN, MALAYSIAN } from '../drawn-receipts.ts';
import { americanExpense, blank, blocksOf, field, line, readPage } from './expense-answers.ts';

const [US, MY] = [LOCALES['US']!, LOCALES['MY']!];
const american = readPage(AMERICAN);
const EXPECTED = { date: '2018-03-05', time: '14:22', total: 1870, subtotal: 1748, tax: 122, currency: 'USD' };
const readOne = (document: ExpenseDocument, page: Page = american, locale = US) =>
  receiptOfExpenses([{ page: blank(page), documents: [document] }], locale).receipt;

describe('a receipt of an expense', () => {
  it('is proven except for its date, which one recognition cannot prove', () => {
    const receipt = readOne(americanExpense(american));
    expect(receipt).toMatchObject({ ...EXPECTED, store: 'GREEN VALLEY MARKET', doubts: ['date-unsure'] });
    expect(receipt.items).toMatchObject([
      { name: 'WHOLE MILK', quantity: 1, price: 349 },
      { name: 'BAGELS', quantity: 2, price: 500 },
      { name: 'ROASTED COFFEE', quantity: 1, price: 899, code: '0123456789012' },
    ]);
  });

  it('is read from the words alone if there are no fields', () => {
    const receipt = readOne({ Blocks: blocksOf(american) });
    expect(receipt).toMatchObject({ ...EXPECTED, doubts: ['date-unsure'] });
    expect(receipt.items.map(({ price }) => price)).toEqual([349, 500, 899]);
  });

  it('is read from the fields if the words contain no known label', () => {
    const foreign = readPage(AMERICAN.map((row) => row.replace('SUBTOTAL', 'SOMME').replace('TOTAL', 'EN TOUT')));
    const document = americanExpense(foreign);
    const fields = document.SummaryFields!.map(({ LabelDetection: _, ...unlabelled }) => unlabelled);
    expect(readOne({ Blocks: blocksOf(foreign) }, foreign).doubts).toContain('total-unproven');
    expect(readOne({ ...document, SummaryFields: fields }, foreign)).toMatchObject({
      ...EXPECTED,
      doubts: ['date-unsure'],
    });
  });

  it('has positions on the page as it was opened', () => {
    const { places, items } = readOne(americanExpense(american));
    const word = american.words.find(({ text }) => text === '18.70')!;
    expect(places.total?.page).toBe(0);
    expect(places.total?.corners[0]![0]).toBeCloseTo(word.box.left / american.width, 3);
    expect(places.total?.corners[2]![1]).toBeCloseTo(word.box.bottom / american.height, 3);
    expect(items[0]!.place.corners[0]![1]).toBeCloseTo(
      american.words.find(({ text }) => text === 'WHOLE')!.box.top / american.height,
      2,
    );
  });

  it('has the recognised words at each position, with the lowest confidence', () => {
    const words = american.words.map((word) => (word.text === '18.70' ? { ...word, confidence: 61.4 } : word));
    const { places } = readOne(americanExpense({ ...american, words }));
    expect(places.total).toMatchObject({ text: '18.70', confidence: 61 });
  });

  it.each([1, 2, 3])(
    'is read the right way up from a page that was turned by %i quarters, and placed on it',
    (quarters) => {
      const upright = readOne(americanExpense(american)).places.total!;
      const turnedPage = quarters % 2 === 0 ? american : { width: american.height, height: american.width };
      const document = turnedExpense(americanExpense(american), quarters);
      const { receipt } = receiptOfExpenses([{ page: blank(turnedPage), documents: [document] }], US);
      expect(receipt).toMatchObject({ ...EXPECTED, doubts: ['date-unsure'] });
      const expected = upright.corners.map(([x, y]) => turnedPoint(x, y, quarters));
      receipt.places.total!.corners.forEach(([x, y], at) => {
        expect(x).toBeCloseTo(expected[at]![0], 3);
        expect(y).toBeCloseTo(expected[at]![1], 3);
      });
    },
  );

  it('may have several pages', () => {
    const [upper, lower] = [readPage(AMERICAN.slice(0, 5)), readPage(AMERICAN.slice(5))];
    const all = americanExpense(american);
    const first: ExpenseDocument = {
      ExpenseIndex: 1,
      Blocks: blocksOf(upper),
      SummaryFields: all.SummaryFields!.slice(0, 2),
      LineItemGroups: [{ LineItems: all.LineItemGroups![0]!.LineItems!.slice(0, 2) }],
    };
    const second: ExpenseDocument = {
      ExpenseIndex: 1,
      Blocks: blocksOf(lower),
      SummaryFields: all.SummaryFields!.slice(2),
      LineItemGroups: [{ LineItems: all.LineItemGroups![0]!.LineItems!.slice(2) }],
    };
    const { receipt } = receiptOfExpenses(
      [
        { page: blank(upper), documents: [first] },
        { page: blank(lower), documents: [second] },
      ],
      US,
    );
    expect(receipt).toMatchObject({ ...EXPECTED, doubts: ['date-unsure'] });
    expect(receipt.items).toHaveLength(3);
    expect([receipt.places.date?.page, receipt.places.total?.page]).toEqual([0, 1]);
  });

  it('does not combine fields of two receipts on one page', () => {
    const other = { ExpenseIndex: 2, SummaryFields: [field('VENDOR_NAME', 'OTHER SHOP', american)], Blocks: [] };
    const documents = [other, americanExpense(american)];
    const { receipt } = receiptOfExpenses([{ page: blank(american), documents }], US);
    expect(receipt.store).toBe('GREEN VALLEY MARKET');
  });

  it('is in doubt if nothing was read, whatever is missing in the answer', () => {
    const empty: ExpenseDocument[] = [{}, { Blocks: [{}, { BlockType: 'WORD', Text: 'TOTAL' }], SummaryFields: [{}] }];
    for (const document of empty) {
      expect(readOne(document).doubts).toEqual(['no-total', 'no-date', 'items-unproven', 'no-store']);
    }
    expect(receiptOfExpenses([{ page: blank(american), documents: [] }], US)).toMatchObject({ words: 0 });
    const document = americanExpense(american);
    const bare = { ...document, SummaryFields: [{}, { Type: {} }], LineItemGroups: [{}, { LineItems: [{}] }] };
    expect(readOne(bare)).toMatchObject({ ...EXPECTED, doubts: ['date-unsure'] });
  });

  it('is not proven by items whose prices do not add up or are missing', () => {
    const document = americanExpense(american);
    const withLines = (...lines: Record<string, string>[]) =>
      readOne(
        {
          ...document,
          LineItemGroups: [{ LineItems: lines.map((fields) => line(fields, american)) }],
          Blocks: blocksOf(readPage(AMERICAN.filter((row) => !/MILK|BAGELS|COFFEE/.test(row)))),
        },
        american,
      ).doubts;
    expect(withLines({ ITEM: 'MILK', PRICE: '3.49' }, { ITEM: 'BREAD', PRICE: '13.99' })).toEqual(['date-unsure']);
    expect(withLines({ ITEM: 'MILK', PRICE: '3.49' }, { ITEM: 'BREAD', PRICE: '13.98' })).toContain('items-unproven');
    expect(withLines({ ITEM: 'MILK', PRICE: '3.49' }, { ITEM: 'BREAD' })).toContain('items-unproven');
    expect(
      withLines({ ITEM: 'MILK', PRICE: '3.49' }, { ITEM: 'BREAD', PRICE: '13.99' }, { ITEM: 'TOTAL', PRICE: '18.70' }),
    ).toEqual(['date-unsure']);
  });

  it.each([
    [{ QUANTITY: '2', UNIT_PRICE: '1.50', PRICE: '3.00' }, 2],
    [{ QUANTITY: '3', UNIT_PRICE: '1.50', PRICE: '3.00' }, 1],
    [{ QUANTITY: '2.00', PRICE: '3.00' }, 2],
    [{ QUANTITY: '0.536 kg', PRICE: '3.00' }, 1],
    [{ QUANTITY: 'x4', PRICE: '3.00' }, 4],
    [{ QUANTITY: '0', PRICE: '3.00' }, 1],
    [{ PRICE: '3.00' }, 1],
  ])('counts %j as %i', (fields, quantity) => {
    const LineItemGroups = [{ LineItems: [line({ ITEM: 'TEA', ...fields }, american)] }];
    const [item] = readOne({ ...americanExpense(american), Blocks: blocksOf(readPage(['TEA'])), LineItemGroups }).items;
    expect(item).toMatchObject({ name: 'TEA', price: 300, quantity });
  });

  it('in another currency than that of the country is in doubt, if Textract can tell and is sure', () => {
    const inCurrency = (Code: string, Confidence: number) => {
      const document = americanExpense(american);
      const fields = document.SummaryFields!.map((one) => ({ ...one, Currency: { Code, Confidence } }));
      return { ...document, SummaryFields: fields };
    };
    expect(readOne(inCurrency('USD', 99)).doubts).toEqual(['date-unsure']);
    expect(readOne(inCurrency('CAD', 95)).doubts).toEqual(['date-unsure', 'other-locale']);
    expect(readOne(inCurrency('CAD', 40)).doubts).toEqual(['date-unsure']);
    const malaysian = readPage(MALAYSIAN);
    const dollars = { ...inCurrency('USD', 99), Blocks: blocksOf(malaysian) };
    expect(readOne(dollars, malaysian, MY).doubts).not.toContain('other-locale');
  });

  it('trusts a printed label more than a type: the total is that after rounding', () => {
    const malaysian = readPage(MALAYSIAN);
    const summary = [
      field('TOTAL', 'RM 28.02', malaysian, { label: 'TOTAL' }),
      field('OTHER', '-0.02', malaysian, { label: 'ROUNDING ADJ' }),
      field('TOTAL', 'RM 28.00', malaysian, { label: 'TOTAL ROUNDED' }),
      field('AMOUNT_PAID', 'RM 50.00', malaysian, { label: 'CASH' }),
      field('OTHER', 'RM 22.00', malaysian, { label: 'CHANGE' }),
    ];
    const lines = [
      line({ ITEM: 'CHOPPING BOARD 83970669', PRICE: '19.00' }, malaysian),
      line({ ITEM: 'BOPP TAPE', PRICE: '9.02', QUANTITY: '2', UNIT_PRICE: '4.51' }, malaysian),
    ];
    const words = readPage(['SETIA HARDWARE SDN BHD', '05/03/2018']);
    const document = { SummaryFields: summary, LineItemGroups: [{ LineItems: lines }], Blocks: blocksOf(words) };
    const receipt = readOne(document, malaysian, MY);
    expect(receipt).toMatchObject({ total: 2800, date: '2018-03-05', doubts: ['date-unsure'] });
    expect(receipt.items[0]).toMatchObject({ name: 'CHOPPING BOARD', code: '83970669' });
  });
});

/** Where a point of the page, in parts, lies after the page was turned clockwise. */
function turnedPoint(x: number, y: number, quarters: number): readonly [number, number] {
  if (quarters === 0) return [x, y];
  return turnedPoint(1 - y, x, quarters - 1);
}

/** The same answer to the page when it lies on its side or its head. */
function turnedExpense(document: ExpenseDocument, quarters: number): ExpenseDocument {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key !== 'Geometry') return value;
    const { Polygon = [] } = value as Geometry;
    const corners = Polygon.map(({ X = 0, Y = 0 }) => turnedPoint(X, Y, quarters));
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return {
      BoundingBox: { Left: left, Top: top, Width: Math.max(...xs) - left, Height: Math.max(...ys) - top },
      Polygon: corners.map(([X, Y]) => ({ X, Y })),
    };
  });
}

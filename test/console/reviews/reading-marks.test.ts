import { describe, expect, it } from 'vitest';
import { doubtText } from '../../../functions/console/reviews/doubt-words.ts';
import type { Box, Reading } from '../../../functions/console/reviews/image-answers.ts';
import { labelAt, marksOf, polygonOf, sizeOf } from '../../../functions/console/reviews/reading-marks.ts';

const box = (x: number, y: number): Box => ({
  page: 0,
  corners: [
    [x, y],
    [x + 0.2, y],
    [x + 0.2, y + 0.05],
    [x, y + 0.05],
  ],
});

const reading: Reading = {
  storeName: 'Northwind',
  receiptDate: undefined,
  total: '12.50',
  subtotal: undefined,
  tax: '0.50',
  currency: 'USD',
  items: [
    { name: 'Tea', quantity: 2, price: '8.00', box: box(0.1, 0.4) },
    { name: 'Bag', quantity: 1, price: '4.00', box: undefined },
  ],
  boxes: {
    storeName: box(0.1, 0.1),
    receiptDate: box(0.1, 0.2),
    total: box(0.6, 0.8),
    subtotal: undefined,
    tax: undefined,
  },
};

describe('marks of a reading', () => {
  it('are numbered where they have a place, and say what was read', () => {
    expect(marksOf(reading).map(({ number, label, value }) => [number, label, value])).toEqual([
      [1, 'Store', 'Northwind'],
      [2, 'Date', 'not read'],
      [3, 'Line', '2 × Tea, 8.00'],
      [undefined, 'Line', 'Bag, 4.00'],
      [undefined, 'Tax', '0.50 USD'],
      [4, 'Total', '12.50 USD'],
    ]);
  });

  it('say whether independent readings agree, of lines by their amounts', () => {
    const line = (name: string, price: string) => ({ name, quantity: 2, price });
    const marks = marksOf({
      ...reading,
      items: [
        { ...line('Tea', '8.00'), box: box(0.1, 0.4), readings: [line('Tea', '8.00'), line('T3a', '8.00')] },
        { ...line('Bag', '4.00'), box: undefined, readings: [line('Bag', '4.00'), line('Bag', '9.00')] },
      ],
      readings: { storeName: ['Northwind'], receiptDate: [], total: ['12.50', '12.50', '72.50', '72.50'] },
    });
    expect(marks.map(({ label, agreement }) => [label, agreement?.same, agreement?.others])).toEqual([
      ['Store', 1, []],
      ['Date', undefined, undefined],
      ['Line', 2, []],
      ['Line', 1, ['2 × …, 9.00']],
      ['Tax', undefined, undefined],
      ['Total', 2, ['72.50 USD']],
    ]);
  });

  it('are drawn at their parts of the width and height', () => {
    const size = { width: 1_000, height: 2_000 };
    expect(polygonOf(box(0.1, 0.4), size)).toBe('100.0,800.0 300.0,800.0 300.0,900.0 100.0,900.0');
    const [x, y] = labelAt(box(0.1, 0.4), size, 20);
    expect(x).toBeLessThan(100);
    expect(y).toBeCloseTo(857.2);
    // Room for two digits at the edge of the picture.
    expect(labelAt(box(0, 0.4), size, 20)[0]).toBe(24);
  });
});

it('a picture is drawn if browsers know its format and its proportions are known', () => {
  const examination = { width: 800, height: 600 };
  expect(sizeOf({ id: 'a', format: 'jpeg', examination })).toEqual(examination);
  expect(sizeOf({ id: 'a', format: 'pdf', examination })).toBeUndefined();
  expect(sizeOf({ id: 'a', format: 'png' })).toBeUndefined();
  expect(sizeOf({ id: 'a', format: 'png', examination: { problem: 'damaged' } })).toBeUndefined();
});

it('a doubt is said in words, and unknown ones as they are', () => {
  expect(doubtText('Low confidence: total-unproven, date-unsure.')).toBe(
    'Low confidence: no sum confirms the total, a digit of the date may be wrong.',
  );
  expect(doubtText('May not be a product: seven-up.')).toBe('May not be a product: seven-up.');
});

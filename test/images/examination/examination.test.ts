import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Examination } from '../../../functions/images/examination/examination.ts';

const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const part = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const place = fc.record({
  page: fc.nat(4),
  corners: fc.array(fc.tuple(part, part), { minLength: 4, maxLength: 4 }),
});
const doubts = [
  'no-total',
  'total-unproven',
  'no-date',
  'date-unread',
  'date-unsure',
  'items-unproven',
  'no-store',
] as const;

const receipt = fc.record({
  store: option(fc.string()),
  head: fc.array(fc.string()),
  date: option(fc.constant('2018-03-05')),
  time: option(fc.constant('14:22')),
  number: option(fc.string()),
  total: option(fc.integer()),
  subtotal: option(fc.integer()),
  tax: option(fc.integer()),
  currency: fc.constant('MYR'),
  regions: fc.array(fc.string()),
  items: fc.array(
    fc.record({
      name: fc.string(),
      quantity: fc.integer({ min: 1, max: 999 }),
      price: fc.integer(),
      code: option(fc.string()),
      place,
    }),
  ),
  doubts: fc.subarray([...doubts]),
  places: fc.record({
    store: option(place),
    date: option(place),
    total: option(place),
    subtotal: option(place),
    tax: option(place),
  }),
});

const examination: fc.Arbitrary<Examination> = fc.record({
  format: option(fc.constantFrom('jpeg', 'png', 'gif', 'tiff', 'pdf')),
  pages: option(fc.nat()),
  width: option(fc.nat()),
  height: option(fc.nat()),
  problem: option(fc.constantFrom('empty', 'unknown', 'too-large', 'too-costly', 'damaged')),
  perceptualHash: option(fc.stringMatching(/^[0-9a-f]{64}$/)),
  sharpness: option(part),
  cut: fc.subarray(['left', 'right', 'top', 'bottom']),
  words: option(fc.nat()),
  receiptScore: option(fc.nat()),
  alteration: fc.record({ score: part, signs: fc.array(fc.string()) }),
  takenAt: option(fc.string()),
  receipt: option(receipt),
});

describe('an examination', () => {
  it('is the same after it was stored as JSON and read again', () => {
    fc.assert(
      fc.property(examination, (before) => {
        const after = Examination.parse(JSON.parse(JSON.stringify(before)));
        expect(after).toEqual(before);
      }),
    );
  });

  it('is refused if the stored text is none', () => {
    const least = { cut: [], alteration: { score: 0, signs: [] } };
    expect(Examination.safeParse(least).success).toBe(true);
    for (const wrong of [
      { cut: [] },
      { ...least, cut: ['middle'] },
      { ...least, problem: 'odd' },
      { ...least, receipt: {} },
    ]) {
      expect(Examination.safeParse(wrong).success).toBe(false);
    }
  });
});

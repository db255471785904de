import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf } from '../../../functions/images/receipts/amounts.ts';
import { receiptOf } from '../../../functions/images/receipts/combine-readings.ts';
import { LOCALES, type Locale } from '../../../functions/images/receipts/locales.ts';
import { parseReceipt } from '../../../functions/images/receipts/parse-receipt.ts';
import { AMERICAN, MALAYSIAN, readWords } from '../drawn-receipts.ts';

const GERMAN = [
  'BÄCKEREI SONNE GMBH',
  'HAUPTSTRASSE 5',
  '10115 BERLIN',
  '05.03.2018 14:22',
  'ROGGENBROT|4,20 A',
  'BUTTER|2,49 A',
  'SUMME EUR|6,69',
  'BAR|10,00',
  'RÜCKGELD|3,31',
  'NETTO MWST BRUTTO',
  'A 7% 6,25 0,44 6,69',
];
const BRITISH = [
  'OAK STORES LTD',
  '12 HIGH STREET LEEDS',
  'LS1 4DY',
  '05/03/2018 14:22',
  'TEA|£2.50',
  'BREAD|£1.20',
  'TOTAL|£3.70',
  'CASH|£5.00',
  'CHANGE|£1.30',
];

const twice = (rows: readonly string[], country: string) => {
  const locale = LOCALES[country]!;
  const reading = parseReceipt(readWords(rows), locale);
  return receiptOf([reading, reading], locale);
};

describe('every locale', () => {
  const written = (cents: number, { decimalMark }: Locale) => {
    const whole = String(Math.floor(cents / 100)).replace(/\B(?=(?:\d{3})+$)/g, decimalMark === ',' ? '.' : ',');
    return `${whole}${decimalMark}${String(cents % 100).padStart(2, '0')}`;
  };

  it.each(Object.values(LOCALES))('reads the amounts that it writes ($country)', (locale) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.constantFrom('', ...locale.currencyMarks),
        (cents, mark) => {
          expect(centsOf(`${mark}${written(cents, locale)}`, locale)).toBe(cents);
        },
      ),
    );
  });

  it.each(Object.entries(LOCALES))('stands under the code of its country: %s', (code, { country }) => {
    expect(country).toBe(code);
  });
});

describe('a receipt of another country', () => {
  it('is understood as German, with commas in its amounts', () => {
    expect(twice(GERMAN, 'DE')).toMatchObject({
      date: '2018-03-05',
      time: '14:22',
      total: 669,
      currency: 'EUR',
      regions: ['10115'],
      doubts: [],
    });
  });

  it('is understood as British, with a postcode', () => {
    expect(twice(BRITISH, 'GB')).toMatchObject({
      store: 'OAK STORES LTD',
      total: 370,
      regions: ['LS1 4DY'],
      doubts: [],
    });
  });

  it.each([
    [GERMAN, 'MY'],
    [GERMAN, 'US'],
    [BRITISH, 'MY'],
    [BRITISH, 'US'],
    [MALAYSIAN, 'US'],
    [MALAYSIAN, 'GB'],
    [AMERICAN, 'DE'],
  ])('goes to a person if the campaign has the wrong country: %j as %s', (rows, country) => {
    expect(twice(rows, country).doubts).toContain('other-locale');
  });

  it.each([
    [MALAYSIAN, 'MY'],
    [AMERICAN, 'US'],
    [AMERICAN, 'CA'],
  ])('is not in doubt if the campaign has its country: %j as %s', (rows, country) => {
    expect(twice(rows, country).doubts).not.toContain('other-locale');
  });
});

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

  it.each([
    [
      'French',
      'FR',
      [
        'MARCHE DES HALLES SARL',
        '12 RUE DES TANNEURS',
        '37000 TOURS',
        '   2 x 1,10',
        'BAGUETTE|2,20 A',
        'BEURRE|2,65 A',
      ],
      ['NB ARTICLES|3', 'NET A PAYER|4,85', 'ESPECES|5,00', 'RENDU MONNAIE|0,15', 'TAUX TVA HT TVA', '5,5% 4,60|0,25'],
    ],
    [
      'Italian',
      'IT',
      ['ALIMENTARI DEL CORSO SRL', 'VIA DEI MILLE 18', '43100 PARMA', 'PANE|2,20 A', '   2 x 1,10', 'LATTE|2,65 A'],
      ['TOTALE PEZZI|3', 'TOTALE COMPLESSIVO|4,85', 'DI CUI IVA|0,44', 'PAGAMENTO CONTANTE|5,00', 'RESTO|0,15'],
    ],
    [
      'Spanish',
      'ES',
      ['MERCADO DEL NORTE SA', 'CALLE MAYOR 5', '33201 GIJON', 'ARROZ REDONDO 2 1,10|2,20', 'LECHE|2,65'],
      ['TOTAL A PAGAR|4,85', 'EFECTIVO|5,00', 'CAMBIO|0,15', 'IVA BASE IMPONIBLE CUOTA', '10% 4,41|0,44'],
    ],
  ])('is understood as %s', (_language, country, head, foot) => {
    const { store, date, total, items, regions, doubts } = twice([...head, ...foot, '05/03/2018 14:22'], country);
    expect({ date, total, doubts }).toEqual({ date: '2018-03-05', total: 485, doubts: [] });
    expect(items.map(({ quantity, price }) => [quantity, price])).toEqual([
      [2, 220],
      [1, 265],
    ]);
    expect([store, regions[0]]).toEqual([head[0], /\d{5}/.exec(head.join(' '))?.[0]]);
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

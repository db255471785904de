import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Options } from '../../../functions/conversions/items/options.ts';
import { normalizeItem } from '../../../functions/conversions/normalize/normalize.ts';
import { validateItem } from '../../../functions/conversions/validate/validate.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

type RecordType = 'business' | 'product' | 'property';

const dates = [
  '2024-04-03',
  '03/04/2024',
  '3 April 2024',
  '2027-01-01',
  '31.12.1999',
  '2024',
  '13/13/2024',
  '12/25/99',
  'soon',
];
const amounts = [
  '1.299',
  '1,299',
  '€1.299,00',
  '$5',
  '12',
  12.5,
  '-3',
  '1 299 kr',
  'JPY 12.50',
  '0',
  '1e3',
  'cheap',
  { amount: '3,50', currency: 'eur' },
];
const phones = [
  '030 123456',
  '+49 30 12345678',
  '020 7946 0958',
  '+1 213 373 4253',
  'call',
  '0179 12345',
  '(213) 373-4253 ext. 12',
];
const countries = ['DE', 'Deutschland', 'USA', 'gb', 'Germny', 'Korea', 'FR', 'Vereinigtes Königreich'];
const postcodes = ['10115', 'D-10115', 'sw1a 1aa', '1067', '94103-1234', 'x', '75001'];
const measures = [
  '2 lbs 3 oz',
  '80 m²',
  '1,250 sq ft',
  '0',
  '12',
  12,
  '3 kgs of',
  { value: '1.250', unit: 'sqft' },
  { value: 5, unit: 'kg' },
  '1.250 m2',
  '1,5 kg',
];

const VALUES: Readonly<Record<RecordType, Readonly<Record<string, readonly unknown[]>>>> = {
  business: {
    name: ['  ACME   G.m.b.H. ', 'Café', 'half \ud800', ''],
    phone: phones,
    phones: [phones.slice(0, 2), [phones[2], phones[6]]],
    country: countries,
    postalCode: postcodes,
    address: [
      '1 Main St, Los Angeles, CA 90001',
      'Hauptstr. 1, 10115 Berlin',
      { street: 'A', postcode: 'sw1a1aa', country: 'UK' },
      { city: 'Paris' },
    ],
    city: ['Berlin', ' Paris '],
    emails: [['A@EXAMPLE.COM', 'x'], 'info@münchen.de'],
    website: ['EXAMPLE.com/A', 'not a site', 'http://xn--mnchen-3ya.de'],
    domains: [['Example.COM', '-']],
    opened: dates,
    closed: dates,
    priceRangeMin: amounts,
    priceRangeMax: amounts,
    priceRangeCurrency: ['EUR', 'usd', '€', 'ZZZ'],
    lat: [52.52, '48,85', 37.77, 0],
    lon: [13.4, '2.35', 122.42, 0],
    numRoom: ['12', '3 rooms', 2.5],
  },
  product: {
    gtin: [
      '4006381333931',
      '4006381333932',
      '036000291452',
      'ISBN 978-3-16-148410-0',
      '0 36000 29145 2',
      '96385074',
      36000291452,
    ],
    ean: [['4006381333931', '0036000291452'], '1'],
    upc: ['036000291452', '01234565'],
    isbn: ['3-16-148410-X', '9783161484100', '4006381333931'],
    price: amounts,
    listPrice: amounts,
    salePrice: amounts,
    currency: ['EUR', 'usd', 'JPY', '$', 'nope'],
    country: countries,
    weight: measures,
    weightUnit: ['kg', 'Pounds', 'm2'],
    prices: [
      [
        { amountMin: '1.299', amountMax: '900', currency: 'eur' },
        { amountMin: '€3', amountMax: '2', currency: 'USD' },
      ],
    ],
  },
  property: {
    beds: ['3 bedrooms', 3, '51', '2.5', '-1', 'many'],
    baths: ['2.5 ba', '2½', 60],
    area: measures,
    areaUnit: ['sqft', 'square feet', 'kg'],
    floorSizeValue: ['1.250', '80,5', 0, 80],
    floorSizeUnit: ['m²', 'Sq Ft', 'x'],
    price: amounts,
    listPrice: amounts,
    currency: ['USD', 'eur'],
    country: countries,
    address: ['1 Main St, Los Angeles, CA 90001', { postalCode: '1067', country: 'DE' }],
    availableDates: [[{ startDate: '03/04/2024', endDate: '2 March 2024' }]],
    yearBuilt: [1998, '98', 2099],
    dateAdded: dates,
    dateUpdated: dates,
  },
};

const optionsOf = fc.record(
  {
    locale: fc.constantFrom('de-DE', 'en-US', 'en-GB', 'fr'),
    defaultCountry: fc.constantFrom('DE', 'US', 'GB'),
    currency: fc.constantFrom('EUR', 'JPY'),
  },
  { requiredKeys: [] },
);

describe('validate after normalize', () => {
  it.each(Object.keys(VALUES) as RecordType[])('finds no more in a %s than before', async (type) => {
    const record = fc.record(
      Object.fromEntries(Object.entries(VALUES[type]).map(([name, values]) => [name, fc.constantFrom(...values)])),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(record, optionsOf, async (record, given) => {
        const context = { options: Options.parse(given), now: NOW };
        const normalized = await normalizeItem({ type, record }, context);
        const before = await validateItem({ type, record }, context);
        const after = await validateItem({ type, record: normalized.record }, context);
        const seen = JSON.stringify({ record: normalized.record, before: before.issues, after: after.issues });
        expect(after.summary.errors, seen).toBeLessThanOrEqual(before.summary.errors);
        if (after.summary.errors === before.summary.errors) {
          expect(after.summary.warnings, seen).toBeLessThanOrEqual(before.summary.warnings);
        }
      }),
      { numRuns: isThorough ? 150 : 60 },
    );
  });
});

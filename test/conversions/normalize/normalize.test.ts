import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseExactly } from '#shared/formats/exact-json';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { NormalizeItem, NormalizeResult, normalizeItem } from '../../../functions/conversions/normalize/normalize.ts';

type RecordType = NormalizeItem['type'];

async function normalized(type: RecordType, record: Record<string, unknown>, options: object = {}) {
  const item = NormalizeItem.parse({ type, record });
  const result = await normalizeItem(item, { options: Options.parse(options), now: 0 });
  return NormalizeResult.parse(result);
}

describe('normalizing a record', () => {
  it('gives the canonical form with its changes', async () => {
    const record = { name: '  ACME   G.m.b.H. ', phone: '030 123456', country: 'Deutschland', opened: '03/04/2024' };
    const high = { confidence: 'high' };
    expect(await normalized('business', record, { locale: 'de-DE' })).toEqual({
      record: { name: 'ACME', legalForm: 'GmbH', phone: '+4930123456', country: 'DE', opened: '2024-04-03' },
      changes: [
        { path: '/phone', from: '030 123456', to: '+4930123456', rule: 'phone.e164', ...high },
        { path: '/country', from: 'Deutschland', to: 'DE', rule: 'country.alpha2', ...high },
        { path: '/opened', from: '03/04/2024', to: '2024-04-03', rule: 'date.iso', ...high },
        { path: '/name', from: '  ACME   G.m.b.H. ', to: 'ACME', rule: 'name.legal-form', ...high },
        { path: '/legalForm', to: 'GmbH', rule: 'name.legal-form', ...high },
      ],
      unresolved: [],
    });
  });

  it('leaves the input as it was', async () => {
    const record = Object.freeze({ name: ' a ', people: Object.freeze([Object.freeze({ phone: '+49 30 123456' })]) });
    await normalized('business', record);
    expect(record.name).toBe(' a ');
  });

  it('writes members in their order, new ones beside those that they come from', async () => {
    const { record } = await normalized('product', { name: 'x', price: '€5', weight: '2 lbs 3 oz', other: 1 });
    expect(JSON.stringify(record)).toBe(
      '{"name":"x","price":"5","priceMinor":"500","currency":"EUR","weight":{"value":"992.23","unit":"g","exact":"992.233309375"},"other":1}',
    );
  });

  it.each([
    ['product', { price: '€1.299,00' }, {}, { price: '1299.00', currency: 'EUR', priceMinor: '129900' }],
    ['product', { price: '1299', currency: 'eur' }, {}, { price: '1299', currency: 'EUR', priceMinor: '129900' }],
    ['product', { price: '$5' }, { currency: 'USD' }, { price: '5', currency: 'USD', priceMinor: '500' }],
    [
      'product',
      { price: '$5', country: 'Canada' },
      {},
      { price: '5', currency: 'CAD', priceMinor: '500', country: 'CA' },
    ],
    ['product', { price: 5, currency: 'JPY' }, {}, { price: 5, currency: 'JPY', priceMinor: '5' }],
    ['product', { price: { amount: '€5,50' } }, {}, { price: { amount: '5.50', currency: 'EUR', minor: '550' } }],
    ['product', { prices: [{ amountMin: '€1.234,5' }] }, {}, { prices: [{ amountMin: '1234.5', currency: 'EUR' }] }],
    ['business', { priceRangeMin: 'USD 5' }, {}, { priceRangeMin: '5', priceRangeCurrency: 'USD' }],
    ['product', { gtin: '4006381333931' }, {}, { gtin: '04006381333931' }],
    ['product', { gtin: 36000291452 }, {}, { gtin: '00036000291452' }],
    [
      'product',
      { ean: ['4 006381 333931'], upc: '0-36000-29145-2' },
      {},
      { ean: ['4006381333931'], upc: '036000291452' },
    ],
    [
      'product',
      { area: '1,250 sq ft' },
      { locale: 'en-US' },
      { area: { value: '116.13', unit: 'm2', exact: '116.1288' } },
    ],
    ['property', { area: { value: '1250', unit: 'sq ft' } }, {}, { area: { value: '1250', unit: 'ft2' } }],
    [
      'property',
      { floorSizeValue: '1,250.5', floorSizeUnit: 'sqft' },
      {},
      { floorSizeValue: '1250.5', floorSizeUnit: 'ft2' },
    ],
    ['property', { baths: '2.5 ba', beds: '3 bd', numBathroom: 2 }, {}, { baths: '2.5', beds: '3', numBathroom: 2 }],
    [
      'business',
      { websites: ['HTTP://MÜNCHEN.de/A'], domains: ['Example.COM.'] },
      {},
      { websites: ['http://xn--mnchen-3ya.de/A'], domains: ['example.com'] },
    ],
    [
      'business',
      { people: [{ email: 'Info@Example.COM', phone: '030 123456' }], country: 'DE' },
      {},
      { people: [{ email: 'Info@example.com', phone: '+4930123456' }], country: 'DE' },
    ],
    ['business', { phone: '(213) 373-4253 x12' }, { defaultCountry: 'US' }, { phone: '+12133734253;ext=12' }],
    [
      'business',
      { phones: [4930123456, '030 123456'], country: 'DE' },
      {},
      { phones: ['+4930123456', '+4930123456'], country: 'DE' },
    ],
    ['business', { name: 'Cafe\u0301 GmbH', legalForm: 'G.m.b.H.' }, {}, { name: 'Café', legalForm: 'GmbH' }],
    ['product', { name: 'ACME GmbH' }, {}, { name: 'ACME GmbH' }],
    ['business', { opened: '3 April 2024 9:00' }, { timezone: 'Europe/Berlin' }, { opened: '2024-04-03T09:00+02:00' }],
    ['business', { postalCode: 'sw1a1aa', country: 'UK' }, {}, { postalCode: 'SW1A 1AA', country: 'GB' }],
    [
      'business',
      { country: 'Germany', x: { phone: '030 1' }, phone: null },
      {},
      { country: 'DE', x: { phone: '030 1' }, phone: null },
    ],
  ] as const)('makes of a %s %j with %j %j', async (type, record, options, expected) => {
    const result = await normalized(type, record, options);
    expect(result).toMatchObject({ record: expected, unresolved: [] });
    expect(result.record).toEqual(expected);
  });

  it('takes an address apart and writes its lines', async () => {
    const record = { address: 'Hauptstr. 5,\n10115  Berlin, Germany', phone: '030 123456' };
    expect((await normalized('business', record)).record).toEqual({
      address: 'Hauptstr. 5',
      city: 'Berlin',
      postalCode: '10115',
      country: 'DE',
      addressLines: ['Hauptstr. 5', '10115 Berlin'],
      phone: '+4930123456',
    });
  });

  it('writes the lines of an address that is an object', async () => {
    const address = { street: '548 Market  St', city: 'San Francisco', state: 'CA', zip: '941051234', country: 'USA' };
    expect((await normalized('business', { address })).record).toEqual({
      address: {
        street: '548 Market St',
        city: 'San Francisco',
        state: 'CA',
        zip: '94105-1234',
        lines: ['548 Market St', 'San Francisco, CA 94105-1234'],
        country: 'US',
      },
    });
  });

  it('keeps an address that contradicts the record', async () => {
    const record = { address: 'Hauptstr. 5, 10115 Berlin', city: 'Hamburg', country: 'DE' };
    const result = await normalized('business', record);
    expect(result.record).toEqual(record);
    expect(result.unresolved).toMatchObject([{ path: '/address', code: 'address.conflict', candidates: ['Berlin'] }]);
  });
});

describe('an unresolved value', () => {
  it.each([
    ['business', { opened: '03/04/2024' }, {}, '/opened', 'date.ambiguous', ['2024-03-04', '2024-04-03']],
    ['business', { opened: '2024-02-30' }, {}, '/opened', 'date.unreadable', undefined],
    ['business', { phone: '030 123456' }, {}, '/phone', 'phone.no-country', undefined],
    [
      'business',
      { phone: '030 123456', country: 'Nowhere' },
      { defaultCountry: 'DE' },
      '/phone',
      'phone.no-country',
      undefined,
    ],
    ['business', { phones: ['x', '+4930123456'] }, {}, '/phones/0', 'phone.not-a-number', undefined],
    ['business', { country: 'Korea' }, {}, '/country', 'country.ambiguous', ['KP', 'KR']],
    ['business', { country: 'Germny' }, {}, '/country', 'country.unknown', ['DE']],
    ['product', { price: '€1.299' }, {}, '/price', 'amount.ambiguous', ['1.299', '1299']],
    ['product', { price: '$5', currency: 'EUR' }, {}, '/price', 'amount.ambiguous', undefined],
    ['product', { price: 'US$5', currency: '$' }, {}, '/currency', 'currency.ambiguous', undefined],
    ['product', { price: '5.005', currency: 'EUR' }, { locale: 'en-US' }, '/price', 'amount.decimals', undefined],
    ['product', { price: '5', currency: 'EUR', priceMinor: '501' }, {}, '/priceMinor', 'amount.minor', ['500']],
    ['product', { gtin: '4006381333932' }, {}, '/gtin', 'gtin.check-digit', ['04006381333931']],
    ['product', { gtin: '36000291452' }, {}, '/gtin', 'gtin.length', ['00036000291452']],
    ['product', { weight: '5 tons' }, {}, '/weight', 'measure.ambiguous', ['t', 'ton_us', 'ton_uk']],
    ['product', { weight: 5 }, {}, '/weight', 'measure.no-unit', undefined],
    ['product', { weight: { value: 'x', unit: 'kg' } }, {}, '/weight/value', 'number.unreadable', undefined],
    ['product', { weight: { value: '5', unit: 'm' } }, {}, '/weight/unit', 'unit.unreadable', undefined],
    ['property', { baths: 'two' }, {}, '/baths', 'rooms.unreadable', undefined],
    ['business', { postalCode: '1', country: 'DE' }, {}, '/postalCode', 'postcode.unreadable', undefined],
    ['business', { name: 'ACME AG', legalForm: 'GmbH' }, {}, '/name', 'name.legal-form', ['AG']],
    ['business', { email: true }, {}, '/email', 'email.wrong-type', undefined],
    ['business', { people: [{ phone: {} }] }, {}, '/people/0/phone', 'phone.wrong-type', undefined],
  ] as const)(
    'in a %s %j with %j is told with path, code and candidates',
    async (type, record, options, path, code, candidates) => {
      const result = await normalized(type, record, options);
      const entry = result.unresolved.find((each) => each.path === path);
      expect(entry).toMatchObject({ code, ...(candidates && { candidates }) });
      expect(entry?.detail).toMatch(/\S/);
      expect(Object.entries(result.record)).toEqual(
        expect.arrayContaining(Object.entries(record).filter(([name]) => `/${name}` === path)),
      );
    },
  );

  it('does not include what validate reads in the same fields', async () => {
    const result = await normalized('product', { releaseDate: 'March 5, 2024', msrp: '$1,299.00', currency: 'USD' });
    expect(result.record).toMatchObject({ releaseDate: '2024-03-05', msrp: '1299.00', currency: 'USD' });
    expect(result.unresolved).toEqual([]);
  });

  it.each(['00000', '12345', '99999999999'])('includes digits that are no number: %s', async (phone) => {
    const record = { phone, country: 'DE' };
    const result = await normalized('business', record);
    expect(result.record).toEqual(record);
    expect(result.changes).toEqual([]);
    expect(result.unresolved).toMatchObject([{ path: '/phone', code: expect.stringMatching(/^phone\./) }]);
  });

  it('includes a number without a range, though its form is settled', async () => {
    const result = await normalized('business', { phone: '+98 30 123' });
    expect(result.record).toEqual({ phone: '+9830123' });
    expect(result.changes).toMatchObject([{ path: '/phone', confidence: 'low' }]);
    expect(result.unresolved).toMatchObject([{ path: '/phone', code: 'phone.unassigned' }]);
  });
});

describe('hostile and odd input', () => {
  it('is kept where nothing is known about it', async () => {
    const record = parseExactly(
      '{"__proto__":{"phone":"1"},"constructor":" x ","a/b~c":" y ","n":1.10,"big":9007199254740993,"\\ud800":"\\udfff"}',
    ) as Record<string, unknown>;
    const item = NormalizeItem.parse({ type: 'business', record });
    const result = NormalizeResult.parse(await normalizeItem(item, { options: Options.parse({}), now: 0 }));
    expect(JSON.stringify(result)).toBe(`{"record":${JSON.stringify(record)},"changes":[],"unresolved":[]}`);
    expect(JSON.stringify(result)).toContain('"n":1.10,"big":9007199254740993');
  });

  it('keeps the digits of numbers that it reads', async () => {
    const record = parseExactly('{"gtin":00036000291452,"price":1.10,"currency":"EUR"}'.replace(':000', ':')) as Record<
      string,
      unknown
    >;
    const result = await normalizeItem({ type: 'product', record }, { options: Options.parse({}), now: 0 });
    expect(JSON.stringify(result.record)).toBe(
      '{"gtin":"00036000291452","price":1.10,"priceMinor":"110","currency":"EUR"}',
    );
  });

  it.each([
    [{ defaultCountry: 'XX' }, '/options/defaultCountry'],
    [{ currency: 'ZZZ' }, '/options/currency'],
    [{ locale: 'zz-ZZ' }, '/options/locale'],
  ])('is refused where the options %j name what does not exist', async (options, pointer) => {
    const refusal: unknown = await normalized('business', {}, options).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ItemRefusal);
    expect(refusal).toMatchObject({ code: 'unparseable-value', facts: { pointer } });
  });

  it.each([null, [], 'x', 5, undefined])('is refused where the record is %j', (record) => {
    expect(NormalizeItem.safeParse({ type: 'business', record }).success).toBe(false);
  });

  it('has schemas that OpenAPI can express', () => {
    expect(z.toJSONSchema(NormalizeItem, { io: 'input' })).toMatchObject({
      properties: { record: { type: 'object' } },
    });
    expect(z.toJSONSchema(NormalizeResult)).toMatchObject({ required: ['record', 'changes', 'unresolved'] });
  });

  it('searches for few names, however many are wrong', async () => {
    const merchants = Array.from({ length: 3_000 }, (_, index) => ({
      country: `Germny${index}`,
      weightUnit: `kgx${index}`,
    }));
    const { unresolved } = await normalized('product', { merchants });
    expect(unresolved).toHaveLength(6_000);
    expect(unresolved.filter(({ code, candidates }) => code === 'country.unknown' && candidates).length).toBeLessThan(
      30,
    );
  });

  it('normalizes an empty record to itself', async () => {
    expect(await normalized('property', {})).toEqual({ record: {}, changes: [], unresolved: [] });
  });
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseExactly } from '#shared/formats/exact-json';
import { Options } from '../../../functions/conversions/items/options.ts';
import { ValidateItem, ValidateResult, validateItem } from '../../../functions/conversions/validate/validate.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

async function validated(item: object, options: object = {}): Promise<ValidateResult> {
  const parsed = ValidateItem.parse(parseExactly(JSON.stringify(item)));
  return ValidateResult.parse(await validateItem(parsed, { options: Options.parse(options), now: NOW }));
}

async function codesOf(type: string, record: object, options: object = {}): Promise<string[]> {
  const { issues } = await validated({ type, record }, options);
  return issues.map(({ path, severity, code }) => `${severity === 'error' ? '!' : '?'} ${path} ${code}`);
}

describe('POST /v1/validate', () => {
  it('answers the example of the notes exactly', async () => {
    const record = { gtin: '4006381333932', phone: '+4917912345', price: '19.99' };
    expect(await validated({ type: 'product', record })).toEqual({
      valid: false,
      verdict: 'fix',
      summary: { errors: 1, warnings: 1 },
      issues: [
        {
          path: '/gtin',
          severity: 'error',
          code: 'gtin.check-digit',
          detail: 'Check digit is 2, expected 1',
          suggestion: '4006381333931',
        },
        { path: '/phone', severity: 'warning', code: 'phone.possible-not-valid' },
      ],
      fields: { '/gtin': 'invalid', '/phone': 'suspect', '/price': 'valid' },
    });
  });

  it('accepts records without a fault', async () => {
    const business = {
      name: 'ACME',
      phone: '+493012345678',
      country: 'Deutschland',
      postalCode: '10115',
      lat: 52.52,
      lon: '13.405',
      opened: '2024-04-03',
      emails: ['info@example.com'],
      website: 'https://example.com/a',
      priceRangeMin: 5,
      priceRangeMax: '10.50',
      priceRangeCurrency: 'EUR',
      unknown: { anything: [1, null] },
    };
    const product = {
      gtin: '4006381333931',
      upc: ['036000291452'],
      isbn: '978-3-16-148410-0',
      weight: '2 lbs 3 oz',
      price: { amount: '12.50', currency: 'CHF' },
      salePrice: 10,
    };
    const property = {
      beds: 3,
      baths: '2.5 ba',
      area: { value: '1250', unit: 'ft2' },
      floorSizeValue: 80,
      floorSizeUnit: 'm2',
      yearBuilt: 1998,
      price: '450000',
      currency: 'USD',
      address: { street: '1 Main St', country: 'US', postcode: '94103', latitude: 37.7749, longitude: -122.4194 },
    };
    for (const [type, record] of Object.entries({ business, product, property })) {
      const { verdict, issues, fields } = await validated({ type, record });
      expect(issues).toEqual([]);
      expect(verdict).toBe('accept');
      expect(new Set(Object.values(fields))).toEqual(new Set(['valid']));
    }
  });

  it.each<[string, object, string[], object?]>([
    ['business', { phone: '12', country: 'DE' }, ['! /phone phone.too-short']],
    ['business', { phone: '030 123456' }, ['? /phone phone.no-country']],
    ['business', { phone: 'call us' }, ['! /phone phone.not-a-number']],
    ['business', { phone: '+44 20 7946 0958', country: 'FR' }, ['? /phone phone.country']],
    ['business', { phones: ['030 12345678', '+999 1'], country: 'DE' }, ['! /phones/1 phone.unknown-calling-code']],
    ['business', { country: 'Germny' }, ['! /country country.unknown']],
    ['business', { postalCode: '1011', country: 'DE' }, ['! /postalCode postcode.format']],
    ['business', { address: { postcode: 'ABC', country: 'GB' } }, ['! /address/postcode postcode.format']],
    ['business', { postcode: '99' }, ['! /postcode postcode.format'], { defaultCountry: 'US' }],
    ['business', { emails: ['a@', 'a@example.com'] }, ['! /emails/0 email.format']],
    ['business', { website: 'not a site' }, ['! /website url.format']],
    ['business', { domains: ['-'] }, ['! /domains/0 host.format']],
    ['business', { lat: 91, lon: 0 }, ['! /lat latitude.range']],
    ['business', { lat: 52 }, ['? /lat point.incomplete']],
    ['business', { lat: 52, lon: 'x' }, ['! /lon number.unreadable']],
    ['business', { location: [13.4, 52.5], geo: 'u33d' }, []],
    ['business', { lat: 0, lon: 0 }, ['? /lat point.zero']],
    ['business', { lat: -40, lon: -120 }, ['? /lat point.no-country']],
    ['business', { latitude: 48.85, longitude: 2.35, country: 'DE' }, ['! /latitude point.country']],
    ['business', { location: { lat: 13.405, lng: 52.52 }, country: 'DE' }, ['! /location/lat point.country']],
    ['business', { opened: '2027-01-01' }, ['! /opened date.future']],
    ['business', { opened: '03/04/2024' }, ['? /opened date.ambiguous']],
    ['business', { opened: '03/04/2024' }, ['? /opened date.format'], { locale: 'de-DE' }],
    ['business', { opened: '2024-02-30' }, ['! /opened date.unreadable']],
    ['business', { opened: '2020-01-01', closed: '2019' }, ['! /opened date.order']],
    ['business', { yearOpened: 2099 }, ['! /yearOpened year.future']],
    ['business', { yearOpened: 1998.5 }, ['! /yearOpened number.not-whole']],
    ['business', { priceRangeMin: 10, priceRangeMax: 5 }, ['! /priceRangeMin range.order']],
    ['business', { isClosed: 'perhaps' }, ['! /isClosed type.flag']],
    ['business', { name: 12 }, ['! /name type.text']],
    ['business', { name: 'half \ud800' }, ['! /name text.lone-surrogate']],
    [
      'business',
      { people: [{ phone: '030 123456' }, 'x'] },
      ['! /people/1 type.object', '? /people/0/phone phone.no-country'],
    ],
    ['product', { gtin: 'abc' }, ['! /gtin gtin.characters']],
    ['product', { ean: ['12345'] }, ['! /ean/0 gtin.length']],
    ['product', { gtin: '1410000000006' }, ['? /gtin gtin.prefix']],
    ['product', { gtin: '2000000000008' }, ['? /gtin gtin.prefix']],
    ['product', { isbn: '4006381333931' }, ['? /isbn isbn.not-a-book']],
    ['product', { price: '-1' }, ['! /price number.negative']],
    ['product', { price: '1.299', currency: 'USD' }, ['? /price price.ambiguous']],
    ['product', { price: 1.299, currency: 'USD' }, ['? /price price.minor-digits']],
    ['product', { price: '12.50', currency: 'JPY' }, ['? /price price.minor-digits']],
    ['product', { price: '0.500', currency: 'USD' }, []],
    ['product', { price: '12.5', listPrice: '¥13' }, ['? /listPrice price.ambiguous']],
    ['product', { price: '12.5', listPrice: 'JPY 13' }, ['? /listPrice price.format', '? /price price.minor-digits']],
    ['product', { price: '12.5' }, ['? /price price.minor-digits'], { currency: 'JPY' }],
    ['product', { price: '€1.299,00' }, ['? /price price.format']],
    ['product', { price: 'cheap' }, ['! /price price.unreadable']],
    ['product', { price: '$5' }, ['? /price price.ambiguous']],
    ['product', { price: [] }, []],
    ['product', { price: {} }, ['! /price price.no-amount']],
    ['product', { price: { amount: '1', currency: 'ZZZ' } }, ['! /price/currency currency.unknown']],
    ['product', { currency: 'usd' }, ['! /currency currency.unknown']],
    ['product', { listPrice: 10, salePrice: '12' }, ['! /salePrice price.sale-above-list']],
    ['product', { prices: [{ amountMin: 3, amountMax: '2', currency: 'EUR' }] }, ['! /prices/0/amountMin range.order']],
    ['product', { weight: '-3 kg' }, ['! /weight measure.unreadable']],
    ['product', { weight: '0 kg' }, ['! /weight measure.not-positive']],
    ['product', { weight: '3 m2' }, ['! /weight measure.unreadable']],
    ['product', { weight: { value: 2, unit: 'kgs of' } }, ['! /weight/unit unit.unreadable']],
    ['property', { beds: 51 }, ['! /beds beds.too-many']],
    ['property', { beds: 50 }, []],
    ['property', { beds: '2.5' }, ['! /beds number.not-whole']],
    ['property', { baths: -1 }, ['! /baths number.negative']],
    ['property', { area: 0 }, ['! /area measure.not-positive']],
    ['property', { area: { unit: 'm2' } }, ['! /area measure.no-value']],
    ['property', { floorSizeValue: 5, floorSizeUnit: 'kg' }, ['! /floorSizeUnit unit.unreadable']],
    ['property', { yearBuilt: 98 }, ['! /yearBuilt year.too-early']],
  ])('of a %s %j says %j', async (type, record, codes, options) => {
    expect(await codesOf(type, record, options)).toEqual(codes);
  });

  it('suggests what to put in the place of a fault', async () => {
    const record = {
      phone: '0179 12345',
      address: { country: 'Germny' },
      postalCode: '1067',
      currency: 'eur',
      opened: '3 April 2024',
    };
    const { issues } = await validated({ type: 'business', record }, { defaultCountry: 'DE' });
    expect(Object.fromEntries(issues.map(({ path, suggestion }) => [path, suggestion]))).toEqual({
      '/phone': '+4917912345',
      '/address/country': 'DE',
      '/postalCode': '01067',
      '/currency': 'EUR',
      '/opened': '2024-04-03',
    });
  });

  it('tells which slip may have put a point into another country', async () => {
    const { issues } = await validated({ type: 'business', record: { lat: 37.77, lon: 122.42, country: 'US' } });
    expect(issues[0]?.detail ?? 'none').toContain('longitude seems to lack its sign');
  });

  it('takes a point close to a border for either country', async () => {
    expect(await codesOf('business', { lat: 47.5596, lon: 7.5886, country: 'DE' })).toEqual([]);
  });

  it('applies a schema instead of a type, or beside it', async () => {
    const schema = { type: 'object', required: ['sku'], properties: { price: { type: 'number' } } };
    const record = { price: '12', gtin: '1' };
    const alone = await validated({ record, schema });
    expect(alone.issues.map(({ code }) => code)).toEqual(['schema.type', 'schema.required']);
    expect(alone.fields).toEqual({ '/price': 'invalid', '/gtin': 'valid', '/sku': 'invalid' });
    const both = await validated({ type: 'product', record, schema });
    expect(both.issues.map(({ code }) => code)).toEqual(['gtin.length', 'schema.type', 'schema.required']);
  });

  it('refuses an item without type and schema, and a record that is no object', () => {
    for (const item of [
      { record: {} },
      { type: 'business' },
      { type: 'business', record: [] },
      { type: 'x', record: {} },
    ]) {
      expect(ValidateItem.safeParse(item).success).toBe(false);
    }
    expect(ValidateItem.safeParse(parseExactly('{"type":"business","record":1.10}')).success).toBe(false);
  });

  it('judges numbers by all of their digits', async () => {
    const text =
      '{"type":"product","record":{"listPrice":0.1000000000000000000001,"salePrice":0.1000000000000000000002}}';
    const item = ValidateItem.parse(parseExactly(text));
    const { issues } = await validateItem(item, { options: Options.parse({}), now: NOW });
    expect(issues.map(({ code }) => code)).toEqual(['price.sale-above-list']);
  });

  it('has schemas that JSON Schema can express', () => {
    expect(z.toJSONSchema(ValidateItem, { io: 'input' })).toMatchObject({
      required: ['record'],
      properties: { record: { type: 'object' } },
    });
    expect(z.toJSONSchema(ValidateResult, { io: 'output' })).toMatchObject({ type: 'object' });
  });
});

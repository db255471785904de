import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EnrichItem, EnrichResult } from '../../../functions/conversions/enrich/enrich.ts';
import { enriched } from './enriching.ts';

const property = (record: object, include?: string[], options = {}) =>
  enriched({ type: 'property', record, ...(include && { include }) }, options);
const product = (record: object, include?: string[], options = {}) =>
  enriched({ type: 'product', record, ...(include && { include }) }, options);
const business = (record: object, include?: string[], options = {}) =>
  enriched({ type: 'business', record, ...(include && { include }) }, options);

const FLAT = { price: '450000', currency: 'USD', area: { value: '1250', unit: 'ft2' }, lat: 37.7749, lon: -122.4194 };

describe('enrichment of a property', () => {
  it('adds area, price by area, place and quality, and says where they come from', async () => {
    expect(await property(FLAT, ['unit', 'geo', 'quality'])).toEqual({
      enrichment: {
        area: { m2: '116.13', ft2: '1250' },
        pricePer: { m2: '3875.01', ft2: '360.00' },
        geo: { timeZone: 'America/Los_Angeles', country: 'US', geohash: '9q8yyk8yt' },
        quality: { completeness: 62, missing: ['/beds', '/baths', '/yearBuilt'] },
      },
      sources: { '/geo/timeZone': 'tz-lookup 11.7.0', '/geo/country': 'country-coder 5.6.1' },
      record: FLAT,
    });
  });

  it('reads the fields of records of this service', async () => {
    const { enrichment } = await property({
      prices: [{ amountMin: 450000, amountMax: 460000, currency: 'USD' }],
      floorSizeValue: 1250,
      floorSizeUnit: 'sq ft',
      latitude: 37.7749,
      longitude: -122.4194,
      numBedroom: 2,
      numBathroom: 1,
    });
    expect(enrichment).toMatchObject({
      area: { m2: '116.13', ft2: '1250' },
      pricePer: { m2: '3875.01', ft2: '360.00' },
      geo: { timeZone: 'America/Los_Angeles' },
      quality: { completeness: 87, missing: ['/yearBuilt'] },
    });
  });

  it('reads an area that is written as people do', async () => {
    expect((await property({ area: '1,250 sq. ft.' }, ['unit'], { locale: 'en-US' })).enrichment.area).toEqual({
      m2: '116.13',
      ft2: '1250',
    });
    expect((await property({ area: 85.5, areaUnit: 'm²' }, ['unit'])).enrichment.area).toEqual({
      m2: '85.5',
      ft2: '920.31',
    });
    expect((await property({ area: '2 acres' }, ['unit'])).enrichment.area).toEqual({ m2: '8093.71', ft2: '87120.00' });
  });

  it.each([
    ['USD', '0.05', '20', '0.00'],
    ['USD', '0.30', '20', '0.02'],
    ['USD', '0.50', '20', '0.02'],
    ['JPY', '90', '4', '22'],
    ['JPY', '94', '4', '24'],
    ['KWD', '1', '3', '0.333'],
  ])('rounds %s %s for %s m2 half to even, at the digits of the currency', async (currency, price, area, perM2) => {
    const { enrichment } = await property({ price, currency, area: { value: area, unit: 'm2' } }, ['unit']);
    expect(enrichment.pricePer?.m2).toBe(perM2);
  });

  it.each([
    [{ price: '€1.299,00' }, { locale: 'de-DE' }, '64.95'],
    [{ price: '$1,299.00', currency: 'USD' }, {}, '64.95'],
    [{ price: { amount: '1299', currency: 'chf' } }, {}, '64.95'],
  ])('reads a price of %j with the options %j', async (record, options, perM2) => {
    const { enrichment } = await property({ ...record, area: '20 m2' }, ['unit'], options);
    expect(enrichment.pricePer?.m2).toBe(perM2);
  });

  it('takes no price in another currency than the record names', async () => {
    const { enrichment, unresolved } = await property({ price: '€1299', currency: 'USD', area: '20 m2' }, ['unit']);
    expect(enrichment.pricePer).toBeUndefined();
    expect(unresolved).toEqual([expect.objectContaining({ path: '/price', code: 'ambiguous-value' })]);
  });

  it('rounds as the options say', async () => {
    const record = { price: '0.50', area: { value: '20', unit: 'm2' } };
    const options = { currency: 'EUR', rounding: 'half-up', precision: 4 };
    expect((await property(record, ['unit'], options)).enrichment).toEqual({
      area: { m2: '20', ft2: '215.2782' },
      pricePer: { m2: '0.03', ft2: '0.00' },
    });
  });

  it('divides every digit of a long number', async () => {
    const record = '{"price":123456789012345678901234567890.12,"currency":"USD","area":{"value":1.0,"unit":"m2"}}';
    const { enrichment } = await enriched(`{"type":"property","record":${record},"include":["unit"]}`);
    expect(enrichment.pricePer?.m2).toBe('123456789012345678901234567890.12');
  });

  it('says what it could not read, and derives the rest', async () => {
    const { enrichment, unresolved } = await property({ ...FLAT, price: 'on request', lat: 95, country: 'Grmany' }, [
      'unit',
      'geo',
      'cells',
      'country',
    ]);
    expect(enrichment).toEqual({ area: { m2: '116.13', ft2: '1250' } });
    expect(unresolved).toEqual([
      { path: '/price', code: 'unparseable-value', detail: '"on request" is not an amount.' },
      expect.objectContaining({ path: '/country', code: 'unparseable-value', suggestion: 'DE' }),
      expect.objectContaining({ path: '/lat', code: 'unparseable-value' }),
    ]);
  });

  it.each([
    [{ area: { value: '10', unit: 'kgs' } }, '/area/value', 'unknown-unit'],
    [{ area: { value: '10', unit: 'kg' } }, '/area/value', 'incompatible-units'],
    [{ area: { value: '0', unit: 'm2' } }, '/area/value', 'unparseable-value'],
    [{ area: { value: '-5', unit: 'm2' } }, '/area/value', 'unparseable-value'],
    [{ area: '1.250 m2' }, '/area', 'ambiguous-value'],
    [{ area: '85' }, '/area', 'unparseable-value'],
    [{ area: '85 m2', price: 1 }, '/price', 'unparseable-value'],
    [{ area: '85 m2', price: 1, currency: 'XYZ' }, '/price', 'unparseable-value'],
  ])('of %j names %s as %s', async (record, path, code) => {
    const { unresolved } = await property(record, ['unit']);
    expect(unresolved).toEqual([expect.objectContaining({ path, code })]);
  });
});

describe('enrichment of a product', () => {
  it.each([
    ['6 x 330 ml', '2.99', { value: '1.51', per: 'L' }, '1980'],
    ['6x330ml', '2.99', { value: '1.51', per: 'L' }, '1980'],
    ['330 ml × 6', '2.99', { value: '1.51', per: 'L' }, '1980'],
    ['4 x 6 x 330 ml', '11.96', { value: '1.51', per: 'L' }, '7920'],
    ['500 g', '1', { value: '2.00', per: 'kg' }, '500'],
    ['1,5 kg', '3', { value: '2.00', per: 'kg' }, '1.5'],
    ['12 fl oz', '1', { value: '2.82', per: 'L' }, '12'],
    ['2 lbs 3 oz', '5', { value: '5.04', per: 'kg' }, '2.1875'],
    ['3 x 2.5 m', '15', { value: '2.00', per: 'm' }, '7.5'],
  ])('turns %s for %s into a unit price', async (quantity, price, unitPrice, total) => {
    const { enrichment, unresolved } = await product({ quantity, price, currency: 'EUR' }, ['unit']);
    expect(enrichment.unitPrice).toEqual({ ...unitPrice, currency: 'EUR' });
    expect(enrichment.pack?.total.value).toBe(total);
    expect(unresolved).toBeUndefined();
  });

  it('shows what a pack holds, with or without a price', async () => {
    expect((await product({ quantity: '6 x 330 ml' }, ['unit'])).enrichment).toEqual({
      pack: { count: '6', each: { value: '330', unit: 'mL' }, total: { value: '1980', unit: 'mL' } },
    });
    expect((await product({ weight: { value: '1.250', unit: 'kg' } }, ['unit'])).enrichment.pack?.total).toEqual({
      value: '1.25',
      unit: 'kg',
    });
  });

  it.each(['XL', '12', '12 pieces', '0 x 330 ml', '5 W', '6 x', 'x 330 ml', '1e3 g'])(
    'takes %s for no pack, without a word',
    async (quantity) => {
      expect(await product({ quantity, price: 1, currency: 'EUR' }, ['unit'])).toEqual({
        enrichment: {},
        sources: {},
        record: { quantity, price: 1, currency: 'EUR' },
      });
    },
  );

  it('asks which number is meant where a pack could be two', async () => {
    const { unresolved } = await product({ size: '1.250 kg' }, ['unit']);
    expect(unresolved).toEqual([
      expect.objectContaining({ path: '/size', code: 'ambiguous-value', candidates: ['1.250', '1250'] }),
    ]);
    expect((await product({ size: '1.250 kg' }, ['unit'], { locale: 'de-DE' })).enrichment.pack?.total.value).toBe(
      '1250',
    );
  });

  it.each([
    [{ dimensions: '30 x 20 x 10 cm' }, '1.20'],
    [{ dimension: '300mm × 20cm × 0.1m' }, '1.20'],
    [{ dimensions: { length: 30, width: '20', height: 10, unit: 'cm' } }, '1.20'],
    [{ dimensions: '12 x 8 x 4 in' }, '1.26'],
    [{ dimensions: '12" x 8" x 4"' }, '1.26'],
  ])('weighs a parcel of %j by its volume', async (record, kg) => {
    expect((await product(record, ['unit'])).enrichment.volumetricWeight).toEqual({ kg, cm3PerKg: '5000' });
  });

  it('weighs no parcel of two lengths, and says why one of zero has no weight', async () => {
    expect((await product({ dimensions: '30 x 20 cm' }, ['unit'])).enrichment).toEqual({});
    expect((await product({ dimensions: '30 x 20 x 0 cm' }, ['unit'])).unresolved).toEqual([
      expect.objectContaining({ path: '/dimensions', code: 'unparseable-value' }),
    ]);
  });

  it('names the kind of a GTIN and who issued it', async () => {
    expect((await product({ gtin: '4006381333931' }, ['gtin'])).enrichment.gtin).toEqual({
      gtin14: '04006381333931',
      kind: 'ean-13',
      issuer: { prefix: '400', organisation: 'GS1 Germany', countries: ['DE'] },
    });
    expect((await product({ ean: [4006381333931] }, ['gtin'])).enrichment.gtin?.gtin14).toBe('04006381333931');
    expect((await product({ gtin12: '614141000036' }, ['gtin'])).enrichment.gtin?.gtin14).toBe('00614141000036');
    expect((await product({ gtin8: '40170725' }, ['gtin'])).enrichment.gtin?.gtin14).toBe('00000040170725');
    expect((await product({ isbn: '0-306-40615-2' }, ['gtin'])).enrichment.gtin).toMatchObject({
      gtin14: '09780306406157',
      kind: 'isbn-10',
    });
    const { unresolved } = await product({ gtin: '4006381333932' }, ['gtin']);
    expect(unresolved).toEqual([
      expect.objectContaining({ path: '/gtin', code: 'unparseable-value', suggestion: '4006381333931' }),
    ]);
  });

  it('says in its description that the issuer is not the origin', () => {
    const schema = JSON.stringify(z.toJSONSchema(EnrichResult, { io: 'output' }));
    expect(schema).toContain('NOT the country of origin');
  });
});

describe('enrichment of a business', () => {
  it('tells country and type of its phone number', async () => {
    expect((await business({ phone: '030 12345678', country: 'Deutschland' }, ['phone'])).enrichment.phone).toEqual({
      e164: '+493012345678',
      country: 'DE',
      type: 'fixed-line',
    });
    expect(
      (await business({ phones: ['0151 12345678'] }, ['phone'], { defaultCountry: 'DE' })).enrichment.phone,
    ).toEqual({
      e164: '+4915112345678',
      country: 'DE',
      type: 'mobile',
    });
    const { enrichment, unresolved } = await business({ phone: '030 12345678' }, ['phone']);
    expect(enrichment).toEqual({});
    expect(unresolved).toEqual([expect.objectContaining({ path: '/phone', code: 'unparseable-value' })]);
  });

  it('gives codes and currency of its country', async () => {
    expect((await business({ country: 'Schweiz' }, ['country'])).enrichment.country).toEqual({
      alpha2: 'CH',
      alpha3: 'CHE',
      numeric: '756',
      name: 'Switzerland',
      currency: 'CHF',
      euMember: false,
    });
    expect((await business({ country: 'DE' }, ['country'])).enrichment.country?.euMember).toBe(true);
  });

  it.each([
    [{ website: 'https://www.shop.example.co.uk/x?y#z' }, 'www.shop.example.co.uk', 'example.co.uk'],
    [{ website: 'http://user@Example.COM:8080/' }, 'example.com', 'example.com'],
    [{ domains: ['müller.de'] }, 'xn--mller-kva.de', 'xn--mller-kva.de'],
    [{ url: 'acme.github.io' }, 'acme.github.io', 'acme.github.io'],
    [{ email: 'info@mail.acme.com.au' }, 'mail.acme.com.au', 'acme.com.au'],
  ])('finds the registrable domain of %j', async (record, host, registrableDomain) => {
    expect((await business(record, ['web'])).enrichment.web).toEqual({ host, registrableDomain });
  });

  it.each(['https://127.0.0.1/', 'localhost', 'javascript:alert(1)', 'a b', 'co.uk'])(
    'finds none of %s',
    async (website) => {
      const { enrichment, unresolved } = await business({ website }, ['web']);
      expect(enrichment).toEqual({});
      expect(unresolved).toEqual([expect.objectContaining({ path: '/website' })]);
    },
  );

  it('adds cells of a point', async () => {
    expect((await business({ location: { lat: '37.7749', lng: '-122.4194' } }, ['cells'])).enrichment).toEqual({
      cells: { plusCode: '849VQHFJ+X6', h3: { r5: '85283083fffffff', r8: '8828308281fffff' } },
    });
  });
});

describe('a derivation', () => {
  it('is everything for which the record has fields, when nothing is named', async () => {
    const { enrichment } = await business({
      phone: '+493012345678',
      country: 'DE',
      website: 'acme.de',
      lat: 52.5,
      lon: 13.4,
    });
    expect(Object.keys(enrichment).sort()).toEqual(
      ['cells', 'contentHash', 'country', 'geo', 'matchKeys', 'phone', 'quality', 'web'].sort(),
    );
  });

  it('is what is named, once, in whatever order', async () => {
    const both = await business({ country: 'DE', phone: '+493012345678' }, ['phone', 'country']);
    expect(await business({ country: 'DE', phone: '+493012345678' }, ['country', 'phone', 'phone'])).toEqual(both);
    expect(Object.keys(both.enrichment)).toEqual(['phone', 'country']);
  });

  it.each([
    [{ type: 'person', record: {} }],
    [{ type: 'business', record: [] }],
    [{ type: 'business', record: null }],
    [{ type: 'business', record: 'x' }],
    [{ type: 'business', record: {}, include: [] }],
    [{ type: 'business', record: {}, include: ['everything'] }],
    [{ type: 'business', record: {}, extra: 1 }],
  ])('is not defined for %j', (item) => {
    expect(EnrichItem.safeParse(item).success).toBe(false);
  });

  it('can be described in JSON Schema', () => {
    expect(z.toJSONSchema(EnrichItem, { io: 'input' })).toMatchObject({
      properties: { record: { type: 'object' }, include: { type: 'array' } },
    });
    expect(z.toJSONSchema(EnrichResult, { io: 'output' })).toMatchObject({
      properties: { record: { type: 'object' } },
    });
  });
});

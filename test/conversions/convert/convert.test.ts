import { describe, expect, it } from 'vitest';
import { convert, refusal } from './converting.ts';

const quantity = (value: unknown, from: string, to: string, more = {}) => ({
  kind: 'quantity',
  value,
  from,
  to,
  ...more,
});

describe('quantities', () => {
  it('answers as the documentation shows', async () => {
    expect(await convert(quantity('1250', 'ft2', 'm2', { precision: 2 }))).toEqual({
      value: '116.13',
      exact: '116.1288',
      unit: 'm2',
      factor: '0.09290304',
    });
    expect(await refusal(quantity('5', 'kg', 'm2'))).toMatchObject({
      code: 'incompatible-units',
      message: expect.stringContaining('kg (mass) cannot become m2 (area)'),
    });
    expect(await refusal(quantity('5', 'kgs', 'lb'))).toMatchObject({
      code: 'unknown-unit',
      facts: { suggestion: 'kg' },
    });
  });

  it('keeps the digits of numbers that JavaScript would change', async () => {
    const item = '{"kind":"quantity","value":9007199254740993.10,"from":"km","to":"m"}';
    expect(await convert(item)).toMatchObject({ value: '9007199254740993100' });
  });

  it('takes precision and rounding from the item, else from the options', async () => {
    const item = quantity('0.125', 'm', 'm');
    expect(await convert(item, { precision: 2 })).toMatchObject({ value: '0.12' });
    expect(await convert({ ...item, rounding: 'half-up' }, { precision: 2 })).toMatchObject({ value: '0.13' });
    expect(await convert({ ...item, precision: 1 }, { precision: 2, rounding: 'down' })).toMatchObject({
      value: '0.1',
    });
  });

  it('gives no factor where the zero of the units differs', async () => {
    expect(await convert(quantity('72', '°F', '°C'))).toEqual({
      value: '22.222222222222222222',
      fraction: '200/9',
      unit: 'Cel',
    });
  });

  it('accepts its own fraction as a value', async () => {
    const { fraction } = await convert(quantity('1', 'm', 'ft'));
    expect(await convert(quantity(fraction, 'ft', 'm'))).toMatchObject({ exact: '1' });
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e400', '9'.repeat(401), '1,5', ''])(
    'refuses the value %.10s',
    async (value) => {
      expect(await refusal(quantity(value, 'm', 'ft'))).toMatchObject({ code: 'unparseable-value' });
    },
  );

  it('converts 400 digits to the last', async () => {
    expect(await convert(quantity('9'.repeat(400), 'km', 'm'))).toMatchObject({ exact: `${'9'.repeat(400)}000` });
  });

  it.each([-1, 31, 1_000_000])('refuses a precision of %i', async (precision) => {
    expect(await refusal(quantity('1', 'm', 'ft', { precision }))).toMatchObject({ code: 'precision-out-of-range' });
  });
});

describe('money', () => {
  it('rounds to what the currency can pay', async () => {
    const item = { kind: 'money', value: '19.99', from: 'USD', to: 'JPY', rate: '151.23' };
    expect(await convert(item)).toEqual({ value: '3023', exact: '3023.0877', currency: 'JPY', factor: '151.23' });
    expect(await convert({ ...item, precision: 1 })).toMatchObject({ value: '3023.1' });
  });

  it('converts the price of a pound in dollars to that of a kilogram in euros', async () => {
    const item = { kind: 'unitPrice', value: '3.99', currency: 'USD', per: 'lb', toCurrency: 'EUR', toPer: 'kg' };
    expect(await convert({ ...item, rates: { EUR: '0.92' } })).toEqual({
      value: '8.09',
      fraction: '52440000/6479891',
      currency: 'EUR',
      per: 'kg',
      factor: '92000000/45359237',
    });
  });

  it('takes rates to a common base, as central banks publish them', async () => {
    const item = { kind: 'unitPrice', value: '10', currency: 'USD', per: 'kg', toCurrency: 'GBP' };
    expect(await convert({ ...item, rates: { USD: '1.25', GBP: '0.8', CHF: '0.95' } })).toMatchObject({ exact: '6.4' });
    expect(await convert({ ...item, toCurrency: 'EUR', rates: { USD: '1.25' } })).toMatchObject({ exact: '8' });
  });

  it.each([
    [{ kind: 'money', value: '1', from: 'USD', to: 'XYZ', rate: '1' }, 'unknown-unit'],
    [{ kind: 'money', value: '1', from: 'USD', to: 'EUR', rate: '0' }, 'unparseable-value'],
    [{ kind: 'money', value: '1', from: 'USD', to: 'EUR', rate: '-1' }, 'unparseable-value'],
    [{ kind: 'money', value: '1', from: 'USD', to: 'USD', rate: '2' }, 'unparseable-value'],
    [{ kind: 'unitPrice', value: '1', currency: 'USD', per: 'lb', toCurrency: 'EUR' }, 'unsupported-conversion'],
    [{ kind: 'unitPrice', value: '1', currency: 'USD', per: 'lb', toPer: 'L' }, 'incompatible-units'],
    [{ kind: 'unitPrice', value: '1', currency: 'USD', per: 'degF', toPer: 'Cel' }, 'unsupported-conversion'],
  ])('refuses %j', async (item, code) => {
    expect(await refusal(item)).toMatchObject({ code });
  });
});

describe('trade numbers', () => {
  it('answers as the documentation shows', async () => {
    expect(await convert({ kind: 'gtin', value: '036000291452', from: 'upc-a', to: 'gtin-14' })).toEqual({
      value: '00036000291452',
      checkDigit: 'valid',
    });
  });

  it('computes a check digit that is left out', async () => {
    expect(await convert({ kind: 'gtin', value: '400638133393', from: 'ean-13', to: 'gtin-14' })).toEqual({
      value: '04006381333931',
      checkDigit: 'computed',
    });
  });

  it('asks whether a digit is lost or left out where both may be', async () => {
    expect(await refusal('{"kind":"gtin","value":36000291452,"from":"upc-a","to":"gtin-14"}')).toMatchObject({
      code: 'ambiguous-value',
      facts: { candidates: ['036000291452', '360002914522'] },
    });
  });

  it('hyphenates books', async () => {
    expect(await convert({ kind: 'gtin', value: '0-306-40615-2', to: 'isbn-13' })).toEqual({
      value: '9780306406157',
      checkDigit: 'valid',
      hyphenated: '978-0-306-40615-7',
    });
  });

  it.each([
    ['4006381333932', 'ean-13', 'gtin-14', 'unparseable-value'],
    ['9791234567896', 'isbn-13', 'isbn-10', 'unsupported-conversion'],
    ['10614141000415', 'gtin-14', 'ean-13', 'unsupported-conversion'],
    ['4006381333931', 'ean-13', 'upc-e', 'unsupported-conversion'],
    ['abc', 'ean-13', 'gtin-14', 'unparseable-value'],
  ])('refuses %s from %s to %s', async (value, from, to, code) => {
    expect(await refusal({ kind: 'gtin', value, from, to })).toMatchObject({ code });
  });
});

describe('coordinates and countries', () => {
  it('gives a coordinate in its notation and in degrees', async () => {
    const item = { kind: 'coordinate', value: { latitude: 37.7749, longitude: -122.4194 }, from: 'decimal' };
    const degrees = { latitude: '37.7749', longitude: '-122.4194' };
    expect(await convert({ ...item, to: 'geohash' })).toEqual({ value: '9q8yyk8yt', ...degrees });
    expect(await convert({ ...item, to: 'geohash', precision: 5 })).toMatchObject({ value: '9q8yy' });
    expect(await convert({ ...item, to: 'decimal', precision: 2 })).toMatchObject({ value: '37.77,-122.42' });
  });

  it('does not cut a code to the precision that the options name for numbers', async () => {
    const item = { kind: 'coordinate', value: '37.7749,-122.4194', from: 'decimal', to: 'geohash' };
    expect(await convert(item, { precision: 2 })).toMatchObject({ value: '9q8yyk8yt' });
  });

  it('names countries by code, and in the language of the locale', async () => {
    expect(await convert({ kind: 'country', value: 'Deutschland', from: 'name', to: 'alpha2' })).toEqual({
      value: 'DE',
    });
    const item = { kind: 'country', value: 276, from: 'numeric', to: 'name' };
    expect(await convert(item)).toEqual({ value: 'Germany' });
    expect(await convert(item, { locale: 'fr-FR' })).toEqual({ value: 'Allemagne' });
  });

  it.each([
    ['Germny', 'name', 'unparseable-value'],
    ['Congo', 'name', 'ambiguous-value'],
    ['DEU', 'alpha2', 'unparseable-value'],
    ['__proto__', 'name', 'unparseable-value'],
  ])('refuses the country %s as %s', async (value, from, code) => {
    expect(await refusal({ kind: 'country', value, from, to: 'alpha3' })).toMatchObject({ code });
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressLines } from '../../../../functions/conversions/values/addresses/address-lines.ts';
import { readPostcode } from '../../../../functions/conversions/values/addresses/postcodes.ts';
import { splitAddress } from '../../../../functions/conversions/values/addresses/split-address.ts';

const COUNTRIES = ['AR', 'AU', 'BR', 'CA', 'CH', 'DE', 'FR', 'GB', 'IE', 'JP', 'MT', 'NL', 'PL', 'PT', 'SE', 'US'];

describe('reading a postcode', () => {
  it.each([
    ['sw1a1aa', 'GB', 'SW1A 1AA'],
    ['M1 1AE', 'GB', 'M1 1AE'],
    ['k1a-0b1', 'CA', 'K1A 0B1'],
    ['1012ab', 'NL', '1012 AB'],
    ['941051234', 'US', '94105-1234'],
    ['94105 - 1234', 'US', '94105-1234'],
    ['D-10115', 'DE', '10115'],
    ['10 115', 'DE', '10115'],
    ['SE-111 22', 'SE', '111 22'],
    ['1000001', 'JP', '100-0001'],
    ['１００－０００１', 'JP', '100-0001'],
    ['00950', 'PL', '00-950'],
    ['1425', 'AR', '1425'],
    ['a65f4e2', 'IE', 'A65 F4E2'],
  ])('reads %s of %s as %s', (text, country, value) => {
    expect(readPostcode(text, country)).toMatchObject({ kind: 'read', value });
  });

  it.each([
    ['', 'DE'],
    ['', 'BB'],
    ['1011', 'DE'],
    ['F-10115', 'DE'],
    ['9410', 'US'],
    ['x'.repeat(8_000), 'GB'],
    ['\ud800', 'GB'],
  ])('refuses %j of %s', (text, country) => {
    expect(readPostcode(text, country)?.kind).toBe('unreadable');
  });

  it.each(['HK', 'XX', '__proto__', 'INTL', ''])('says nothing about postcodes of %j', (country) => {
    expect(readPostcode('12345', country)).toBeUndefined();
  });

  it('reads what it has written as the same postcode', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9 -]{3,10}$/), fc.constantFrom(...COUNTRIES), (text, country) => {
        const postcode = readPostcode(text, country);
        if (postcode?.kind === 'read') expect(readPostcode(postcode.value, country)).toEqual(postcode);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('splitting an address', () => {
  it.each([
    ['Hauptstr. 5, 10115 Berlin', 'DE', { streetLines: ['Hauptstr. 5'], city: 'Berlin', postalCode: '10115' }],
    ['Hauptstr. 5\nD-60311 Frankfurt am Main', 'DE', { city: 'Frankfurt am Main', postalCode: '60311' }],
    ['10 Downing Street, London, SW1A 2AA', 'GB', { city: 'London', postalCode: 'SW1A 2AA' }],
    ['10 Downing Street, London SW1A 2AA', 'GB', { streetLines: ['10 Downing Street'], city: 'London' }],
    [
      '548 Market St, Suite 3, San Francisco, CA 94105',
      'US',
      { streetLines: ['548 Market St', 'Suite 3'], province: 'CA' },
    ],
    [
      '1005 N Gravenstein Hwy Suite 500 Sebastopol, CA 95472',
      'US',
      { streetLines: ['1005 N Gravenstein Hwy Suite 500'], city: 'Sebastopol', province: 'CA', postalCode: '95472' },
    ],
    ['100 Queen St W, Toronto ON M5H 2N2', 'CA', { city: 'Toronto', province: 'ON', postalCode: 'M5H 2N2' }],
    ['Dam 1, 1012JS Amsterdam', 'NL', { city: 'Amsterdam', postalCode: '1012 JS' }],
    ['Via Roma 1, 00184 Roma RM', 'IT', { city: 'Roma', province: 'RM', postalCode: '00184' }],
    ['Bahnhofstrasse 1, CH-8001 Zürich', 'CH', { city: 'Zürich', postalCode: '8001' }],
  ])('splits %j of %s', (text, country, parts) => {
    expect(splitAddress(text, country)).toMatchObject(parts);
  });

  it('leaves out the name of the country at the end', () => {
    const parts = splitAddress('Hauptstr. 5, 10115 Berlin, Germany', 'DE', (text) => text === 'Germany');
    expect(parts).toEqual({ streetLines: ['Hauptstr. 5'], city: 'Berlin', postalCode: '10115' });
  });

  it.each([
    ['Hauptstr. 5', 'DE'],
    ['Hauptstr. 5, Berlin', 'DE'],
    ['Hauptstr. 5, 1011 Berlin', 'DE'],
    ['10115 Berlin', 'DE'],
    ['Hauptstr. 5 10115 Berlin', 'DE'],
    ['548 Market St, San Francisco, XX 94105', 'US'],
    ['東京都千代田区1-1, 100-0001', 'JP'],
    ['Hauptstr. 5, 10115 Berlin', 'XX'],
    ['Hauptstr. 5, 10115 Berlin', '__proto__'],
    ['', 'DE'],
    [', '.repeat(4_000), 'US'],
    ['1 '.repeat(4_000), 'US'],
    ['1 main st '.repeat(50), 'US'],
  ])('leaves %j of %s whole', (text, country) => {
    expect(splitAddress(text, country)).toBeUndefined();
  });

  it('loses no word and adds none', () => {
    const word = fc.stringMatching(/^[A-Za-zäöü0-9.]{1,9}$/);
    const text = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    const letters = (texts: readonly string[]) =>
      texts
        .join('')
        .replace(/[\s,-]/g, '')
        .toUpperCase();
    fc.assert(
      fc.property(text, fc.constantFrom(...COUNTRIES), (words, country) => {
        const written = words.map((part) => part.join(' '));
        const parts = splitAddress(written.join(', '), country);
        if (parts === undefined) return;
        const { streetLines, city = '', province = '', postalCode = '' } = parts;
        const sorted = (text: string) => text.split('').sort().join('');
        expect(sorted(letters([...streetLines, city, province, postalCode]))).toBe(sorted(letters(written)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the lines of an address', () => {
  const parts = {
    streetLines: ['548 Market St', 'Suite 3'],
    city: 'San Francisco',
    province: 'CA',
    postalCode: '94105',
  };

  it.each([
    ['US', ['548 Market St', 'Suite 3', 'San Francisco, CA 94105']],
    ['GB', undefined],
    ['AU', ['548 Market St', 'Suite 3', 'San Francisco CA 94105']],
    ['XX', undefined],
  ])('are written as in %s, or not at all where a part would be lost', (country, lines) => {
    expect(addressLines(parts, country)).toEqual(lines);
  });

  it('follow the script of the address', () => {
    const local = { streetLines: ['千代田1-1'], province: '東京都', postalCode: '100-0001' };
    expect(addressLines(local, 'JP')).toEqual(['〒100-0001', '東京都', '千代田1-1']);
  });
});

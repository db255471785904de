import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCountries } from '../../../../functions/conversions/values/countries/countries.ts';
import { currencyOf, minorDigits } from '../../../../functions/conversions/values/countries/currencies.ts';
import { CODE_POINT } from '../../../support/runner/code-points.ts';

const countries = await loadCountries();

describe('countries', () => {
  it.each([
    ['Deutschland', 'DE'],
    ['Allemagne', 'DE'],
    ['deu', 'DE'],
    ['276', 'DE'],
    ['UK', 'GB'],
    ['England', 'GB'],
    ['The Netherlands', 'NL'],
    ['U.S.A.', 'US'],
    ['Côte d’Ivoire', 'CI'],
    ['Türkiye', 'TR'],
    ['turkey', 'TR'],
    ['日本', 'JP'],
    ['Россия', 'RU'],
    ['osterreich', 'AT'],
    ['भारत', 'IN'],
    ['St. Lucia', 'LC'],
    ['Bosnia & Herzegovina', 'BA'],
    ['EL', 'GR'],
    ['Kosovo', 'XK'],
  ])('knows %s as %s', (text, alpha2) => {
    expect(countries.read(text)).toMatchObject({ alpha2 });
  });

  it('asks which country is meant where a name has several', () => {
    expect(countries.read('Congo')).toEqual(['CD', 'CG']);
    expect(countries.read('Korea')).toEqual(['KP', 'KR']);
  });

  it('lets the language of the locale decide between countries of one name', () => {
    expect(countries.read('Kongo')).toEqual(['CD', 'CG']);
    expect(countries.read('Kongo', 'de-DE')).toMatchObject({ alpha2: 'CD' });
  });

  it('finds every country by its codes and by its name in English', () => {
    const codes = Array.from({ length: 26 * 26 }, (_, index) =>
      String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
    );
    const all = codes.flatMap((code) => countries.of(code) ?? []);
    expect(all.length).toBe(250);
    for (const country of all) {
      expect(countries.of(country.alpha3)).toBe(country);
      expect(countries.of(country.numeric)).toBe(country);
      expect(country.numeric).toMatch(/^\d{3}$/);
      expect(countries.read(country.name)).toBe(country);
      expect(country.alpha2 === 'AQ' || currencyOf(country.currency ?? '')?.code, country.alpha2).toBeTruthy();
    }
    expect(all.filter(({ euMember }) => euMember).length).toBe(27);
  });

  it('suggests the name that is nearly written so', () => {
    expect(countries.suggest('Germny')).toBe('DE');
    expect(countries.suggest('Deutschlnd', 'de-DE')).toBe('DE');
    expect(countries.suggest('Atlantis')).toBeUndefined();
  });

  it('names a country in the language of the locale', () => {
    expect(countries.nameOf('DE', 'de-AT')).toBe('Deutschland');
    expect(countries.nameOf('DE', 'xx')).toBe('Germany');
    expect(countries.nameOf('ZZ')).toBeUndefined();
  });

  it('answers any text with a country or a list', () => {
    const text = fc.oneof(
      fc.string({ unit: CODE_POINT, maxLength: 120 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'.repeat(8_000), '\ud800'),
    );
    fc.assert(
      fc.property(text, (each) => {
        const reading = countries.read(each);
        expect(Array.isArray(reading) || 'alpha2' in reading).toBe(true);
      }),
    );
    expect(countries.read('__proto__')).toEqual([]);
  });
});

describe('currencies', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['XCG', 2],
    ['CLF', 4],
  ])('gives %s its %i digits', (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
  });

  it('knows no other codes', () => {
    for (const code of ['EURO', 'eur', '', '__proto__', 'constructor']) expect(currencyOf(code)).toBeUndefined();
  });
});

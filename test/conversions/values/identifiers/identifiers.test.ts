import * as fc from 'fast-check';
import isbn3 from 'isbn3';
import { describe, expect, it } from 'vitest';
import { gs1CheckDigit, isbn10CheckDigit } from '../../../../functions/conversions/values/identifiers/check-digit.ts';
import { issuerOf } from '../../../../functions/conversions/values/identifiers/gs1-prefix.ts';
import {
  GTIN_KINDS,
  type Gtin,
  type GtinKind,
  gtinOf,
  readGtin,
} from '../../../../functions/conversions/values/identifiers/gtin.ts';
import { gtinAs } from '../../../../functions/conversions/values/identifiers/gtin-kinds.ts';
import { isbnParts } from '../../../../functions/conversions/values/identifiers/isbn.ts';
import { upcAOfUpcE, upcEOfUpcA } from '../../../../functions/conversions/values/identifiers/upc-e.ts';
import { CODE_POINT } from '../../../support/runner/code-points.ts';

const digits = (length: number) =>
  fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((each) => each.join(''));

/** Valid numbers of every kind. */
const gtin = fc.constantFrom(...GTIN_KINDS).chain((kind) => bodyOf(kind).map((body) => valid(body, kind)));

function bodyOf(kind: GtinKind): fc.Arbitrary<string> {
  switch (kind) {
    case 'upc-e':
      return fc.tuple(fc.constantFrom('0', '1'), digits(6)).map(([system, six]) => system + six);
    case 'isbn-13':
      return fc.tuple(fc.constantFrom('978', '9791', '9798'), digits(9)).map((parts) => parts.join('').slice(0, 12));
    case 'ean-8':
      return digits(7);
    case 'isbn-10':
      return digits(9);
    case 'upc-a':
      return digits(11);
    case 'ean-13':
      return digits(12);
    default:
      return digits(13);
  }
}

function valid(body: string, kind: GtinKind): Gtin {
  const gtins = '0123456789X'
    .split('')
    .map((check) => gtinOf(body + check, kind).gtin)
    .filter((each) => each !== undefined);
  const [only, ...others] = gtins;
  if (!only || others.length > 0) throw new Error(`${body} has ${gtins.length} check digits as ${kind}`);
  return only;
}

describe('trade numbers', () => {
  it.each([
    ['036000291452', 'upc-a', '00036000291452'],
    ['4006381333931', 'ean-13', '04006381333931'],
    ['96385074', 'ean-8', '00000096385074'],
    ['04252614', 'upc-e', '00042100005264'],
    ['10614141000415', 'gtin-14', '10614141000415'],
    ['978-0-306-40615-7', 'isbn-13', '09780306406157'],
    ['0-8044-2957-X', 'isbn-10', '09780804429573'],
    ['ISBN 0-8044-2957-x', 'isbn-10', '09780804429573'],
    ['EAN-13: 4006381333931', 'ean-13', '04006381333931'],
    ['９６３８５０７４', 'ean-8', '00000096385074'],
    ['9790060115615', 'ean-13', '09790060115615'],
  ])('reads %s as %s', (text, kind, gtin14) => {
    expect(readGtin(text)).toMatchObject({ gtin: { kind, gtin14 } });
  });

  it('says which check digit it expected, and repairs the number with it', () => {
    expect(readGtin('4006381333932')).toEqual({
      problem: { problem: 'check-digit', detail: 'Check digit is 2, expected 1', suggestion: '4006381333931' },
    });
  });

  it('finds the zeros that a spreadsheet took from a number', () => {
    expect(readGtin('36000291452')).toMatchObject({ problem: { problem: 'length', suggestion: '036000291452' } });
  });

  it('asks whether eight digits are EAN-8 or UPC-E where both check', () => {
    const both = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(8, '0')).find(
      (text) => gtinOf(text, 'ean-8').gtin && gtinOf(text, 'upc-e').gtin && !readGtin(text).gtin,
    );
    const reading = readGtin(both ?? '');
    expect(reading.gtin).toBeUndefined();
    expect(reading).toMatchObject({
      problem: { problem: 'ambiguous', candidates: [expect.any(String), expect.any(String)] },
    });
  });

  it('notices every single wrong digit', () => {
    // A digit of a UPC-E also says how the rest expands, so that another digit makes another number altogether.
    const direct = gtin.filter(({ kind }) => kind !== 'upc-e');
    fc.assert(
      fc.property(direct, fc.nat(), fc.integer({ min: 1, max: 9 }), ({ kind, digits }, place, change) => {
        const at = place % (digits.length - 1);
        const wrong = digits.slice(0, at) + String((Number(digits[at]) + change) % 10) + digits.slice(at + 1);
        expect(gtinOf(wrong, kind).gtin).toBeUndefined();
      }),
    );
  });

  it('returns to the same number from every kind that has one', () => {
    fc.assert(
      fc.property(gtin, fc.constantFrom(...GTIN_KINDS), (from, kind) => {
        const there = gtinAs(from, kind);
        if ('impossible' in there) return;
        const read = gtinOf(there.digits, kind).gtin;
        expect(read?.gtin14).toBe(from.gtin14);
        expect(gtinAs(read ?? from, 'gtin-14')).toEqual({ digits: from.gtin14 });
      }),
    );
  });

  it('has the UPC-E of every UPC-A that a UPC-E stands for, though several may stand for one', () => {
    for (let six = 0; six < 1_000_000; six += 37) {
      const body = `0${String(six).padStart(6, '0')}`;
      const upcA = upcAOfUpcE(body);
      const upcE = upcEOfUpcA(upcA);
      expect(upcE === undefined ? undefined : upcAOfUpcE(upcE), body).toBe(upcA);
    }
  });

  it('gives the check digits of a second implementation', () => {
    fc.assert(
      fc.property(digits(9), (body) => {
        const ten = body + isbn10CheckDigit(body);
        const thirteen = `978${body}${gs1CheckDigit(`978${body}`)}`;
        const parsed = isbn3.parse(ten);
        if (parsed) expect([parsed.isbn10, parsed.isbn13]).toEqual([ten, thirteen]);
      }),
    );
  });

  it('says why a package of items has no EAN-13', () => {
    const reading = readGtin('10614141000415');
    expect(reading.gtin && gtinAs(reading.gtin, 'ean-13')).toEqual({ impossible: expect.stringContaining('package') });
  });

  it.each([
    ['04006381333931', 'GS1 Germany', ['DE']],
    ['00036000291452', 'GS1 US', ['US']],
    ['07612345678900', 'GS1 Switzerland', ['CH', 'LI']],
    ['09780306406157', 'International ISBN Agency, books', []],
    ['09790060115615', 'International ISMN Agency, printed music', []],
    ['00000096385074', 'GS1 Global Office, GTIN-8 allocations', []],
    ['02012345678909', 'restricted circulation within a region', []],
  ])('names the issuer of %s: %s', (gtin14, organisation, countries) => {
    expect(issuerOf(gtin14)).toMatchObject({ organisation, countries });
  });

  it('names no issuer of prefixes that GS1 has not assigned', () => {
    expect(issuerOf('01400000000000')).toBeUndefined();
  });

  it('hyphenates books by the ranges of their groups', async () => {
    expect(await isbnParts('9780306406157')).toEqual({ hyphenated: '978-0-306-40615-7', group: 'English language' });
    expect(await isbnParts('0306406152')).toMatchObject({ hyphenated: '0-306-40615-2' });
  });

  it('answers any text with a number or a problem', () => {
    const text = fc.oneof(
      fc.string({ unit: CODE_POINT, maxLength: 70 }),
      fc.constantFrom('1'.repeat(8_000), '-'.repeat(8_000), '\ud800'),
    );
    fc.assert(
      fc.property(text, (each) => {
        const reading = readGtin(each);
        expect(reading.gtin?.gtin14 ?? ('problem' in reading && reading.problem.detail)).toBeTruthy();
      }),
    );
  });
});

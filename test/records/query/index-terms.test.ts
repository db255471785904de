import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateInterval, keywordTerm, words } from '../../../functions/records/query/index-terms.ts';
import { numberOf } from '../../../shared/formats/number-text.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

describe('words', () => {
  it.each([
    ['The Quick-Brown fox', ['the', 'quick', 'brown', 'fox']],
    ["Joe's 24h", ['joe', 's', '24h']],
    ['  ', []],
    ['', []],
    ['—', []],
    ['one', ['one']],
    ['Café Ñandú', ['café', 'ñandú']],
    ['Cafe\u0301 Zoe\u0308s', ['caf\u00e9', 'zo\u00ebs']],
    ['हिन्दी सेवा', ['हिन्दी', 'सेवा']],
    ['ร้านอาหาร', ['ร้านอาหาร']],
    ['東京タワー 12', ['東京タワー', '12']],
    ['x²+½', ['x²', '½']],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('are the runs of letters and digits of the lower-cased text, by the fast way and the slow one alike', () => {
    const texts = fc.oneof(fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: CODE_POINT }));
    fc.assert(
      fc.property(texts, (text) => {
        const plain = text.toLowerCase().normalize('NFC');
        expect(words(text)).toEqual(plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []);
      }),
    );
  });
});

it('a keyword is compared whole and without case', () => {
  expect(keywordTerm('AB-12 / x')).toBe('ab-12 / x');
});

describe('numbers', () => {
  it.each([
    ['5', 5],
    ['-97.7', -97.7],
    ['+.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['2.5E-1', 0.25],
    ['007', 7],
    ['-0', 0],
  ])('%j is %d', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });

  it.each(['', ' ', '.', '-', 'e5', '1 ', ' 1', '0x10', '1_000', '1,000', 'Infinity', 'NaN', '1e999', '5-3', '١'])(
    '%j is not one',
    (text) => {
      expect(numberOf(text)).toBeUndefined();
    },
  );
});

describe('dates', () => {
  it.each([
    ['2020', '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
    ['2020-02', '2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
    ['1900-02', '1900-02-01T00:00:00.000Z', '1900-02-28T23:59:59.999Z'],
    ['2020-12', '2020-12-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
    ['2020-03-04', '2020-03-04T00:00:00.000Z', '2020-03-04T23:59:59.999Z'],
    ['2020-03-04T05', '2020-03-04T05:00:00.000Z', '2020-03-04T05:59:59.999Z'],
    ['2020-03-04T05Z', '2020-03-04T05:00:00.000Z', '2020-03-04T05:59:59.999Z'],
    ['2020-03-04T05:06', '2020-03-04T05:06:00.000Z', '2020-03-04T05:06:59.999Z'],
    ['2020-03-04T05:06:07', '2020-03-04T05:06:07.000Z', '2020-03-04T05:06:07.999Z'],
    ['2020-03-04 05:06:07Z', '2020-03-04T05:06:07.000Z', '2020-03-04T05:06:07.999Z'],
    ['2020-03-04T05:06:07.25Z', '2020-03-04T05:06:07.000Z', '2020-03-04T05:06:07.999Z'],
    ['2020-03-04T05:06:07+05:30', '2020-03-03T23:36:07.000Z', '2020-03-03T23:36:07.999Z'],
    ['2020-03-04T05:06-0800', '2020-03-04T13:06:00.000Z', '2020-03-04T13:06:59.999Z'],
    ['2020-03-04T23+01', '2020-03-04T22:00:00.000Z', '2020-03-04T22:59:59.999Z'],
    ['0000', '0000-01-01T00:00:00.000Z', '0000-12-31T23:59:59.999Z'],
    ['0099-01', '0099-01-01T00:00:00.000Z', '0099-01-31T23:59:59.999Z'],
  ])('%s runs from %s to %s', (text, from, to) => {
    expect(dateInterval(text)).toEqual({ from: Date.parse(from), to: Date.parse(to) });
  });

  it.each([
    '',
    '20',
    '202',
    '20200',
    '2020-',
    '2020-1',
    '2020-13',
    '2020-00',
    '2020-02-30',
    '2021-02-29',
    '2020-03-0',
    '2020-03-04T',
    '2020-03-04T5',
    '2020-03-04T24',
    '2020-03-04T05:60',
    '2020-03-04T05:06:60',
    '2020-03-04T05:06:07.',
    '2020-03-04T05:06.5',
    '2020-03-04T05:06:07.5.5',
    '2020-03-04T05:06:07z',
    '2020-03-04T05:06:07ZZ',
    '2020-03-04T05:06:07+',
    '2020-03-04T05:06:07+5',
    '2020-03-04T05:06:07+05:3',
    '2020-03-04T05:06:07+05:300',
    '2020-03-04T05:06:07+24:00',
    '2020-03-04Z',
    '3/4/2020',
    '٢٠٢٠',
  ])('%j is not one', (text) => {
    expect(dateInterval(text)).toBeUndefined();
  });

  it('agree with the calendar of JavaScript on every day of four-digit years', () => {
    const dates = fc.date({
      min: new Date('0000-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const text = date.toISOString();
        expect(dateInterval(text)?.from).toBe(Math.floor(date.getTime() / 1000) * 1000);
        expect(dateInterval(text.slice(0, 10))?.from).toBe(Date.parse(text.slice(0, 10)));
        expect(dateInterval(text.slice(0, 7))?.from).toBe(Date.parse(text.slice(0, 7)));
      }),
    );
  });
});

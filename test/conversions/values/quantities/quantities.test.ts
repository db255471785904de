import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertDecimal } from '../../../../functions/conversions/values/quantities/convert-decimal.ts';
import {
  decimalOf,
  exactOrFraction,
  formatExact,
} from '../../../../functions/conversions/values/quantities/decimal.ts';
import { conversionOf, convertQuantity } from '../../../../functions/conversions/values/quantities/quantity.ts';
import { compare, rational } from '../../../../functions/conversions/values/quantities/rational.ts';
import { unitOf } from '../../../../functions/conversions/values/quantities/unit-lookup.ts';
import { UNITS, type Unit } from '../../../../functions/conversions/values/quantities/unit-table.ts';
import { DEFINITIONS } from './definitions.ts';

const HALF_EVEN = { rounding: 'half-even' } as const;

const convert = (value: string, from: string, to: string, precision?: number) =>
  convertDecimal(value, conversionOf(unitOf(from), unitOf(to)), { ...HALF_EVEN, precision });

const anyUnit = fc.constantFrom(...UNITS);
const unitsOfOneDimension = fc.tuple(anyUnit, fc.nat()).map(([from, pick]) => {
  const alike = UNITS.filter(({ dimension }) => dimension === from.dimension);
  return { from, to: alike[pick % alike.length] ?? from };
});
const exactlyRelated = unitsOfOneDimension.filter(({ from, to }) => !conversionOf(from, to).approximate);
const inProportion = unitsOfOneDimension.filter(({ from, to }) => !conversionOf(from, to).reciprocal);
const isPossible = (text: string, { from, to }: { from: Unit; to: Unit }) =>
  !(conversionOf(from, to).reciprocal && Number(text) === 0);
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.nat(30))
  .map(([digits, places]) => exactOrFraction(rational(digits, 10n ** BigInt(places))));
const shortDecimal = fc
  .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.nat(7))
  .map(([digits, places]) => exactOrFraction(rational(BigInt(digits), 10n ** BigInt(places))));

describe('quantities', () => {
  it('has at least 200 definitions to be measured by', () => {
    expect(DEFINITIONS.length).toBeGreaterThanOrEqual(200);
  });

  it.each(DEFINITIONS)('converts $value $from to $expected $to, to the last digit', ({ value, from, to, expected }) => {
    expect(convert(value, from, to)).toEqual({ value: expected, exact: expected });
  });

  it.each(DEFINITIONS)('converts $expected $to back to $value $from', ({ value, from, to, expected }) => {
    const back = convert(expected, to, from);
    expect(back.exact).toBe(value);
  });

  it('returns to the very value it came from, for every pair of units', () => {
    fc.assert(
      fc.property(unitsOfOneDimension, decimal, ({ from, to }, text) => {
        fc.pre(isPossible(text, { from, to }));
        const value = decimalOf(text);
        expect(compare(convertQuantity(convertQuantity(value, from, to), to, from), value)).toBe(0);
      }),
    );
  });

  it('returns to the very text it came from, through an answer without end too', () => {
    fc.assert(
      fc.property(exactlyRelated, decimal, ({ from, to }, text) => {
        fc.pre(isPossible(text, { from, to }));
        const there = convertDecimal(text, conversionOf(from, to), HALF_EVEN);
        const back = convertDecimal(there.exact ?? there.fraction ?? '', conversionOf(to, from), HALF_EVEN);
        expect(back.exact).toBe(text);
      }),
    );
  });

  it('gives the same text on its short way as by fractions', () => {
    const precision = fc.option(fc.nat(30), { nil: undefined });
    const rounding = fc.constantFrom('half-even', 'half-up', 'down');
    fc.assert(
      fc.property(
        unitsOfOneDimension,
        fc.oneof(shortDecimal, decimal),
        precision,
        rounding,
        ({ from, to }, text, precision, rounding) => {
          fc.pre(isPossible(text, { from, to }));
          const conversion = conversionOf(from, to);
          const result = convertQuantity(decimalOf(text), from, to);
          const expected = formatExact(result, { precision, rounding }, conversion.approximate);
          expect(convertDecimal(text, conversion, { precision, rounding })).toEqual(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('agrees with floating point to twelve digits', () => {
    fc.assert(
      fc.property(inProportion, shortDecimal, ({ from, to }, text) => {
        const number = ({ numerator, denominator }: typeof from.size) => Number(numerator) / Number(denominator);
        const [size, toSize] = from.reciprocal ? [to.size, from.size] : [from.size, to.size];
        const base = Number(text) * number(size) + number(from.zero);
        const expected = (base - number(to.zero)) / number(toSize);
        const scale = Math.max(Math.abs(expected), (Math.abs(base) + Math.abs(number(to.zero))) / number(toSize));
        expect(
          Math.abs(Number(convertDecimal(text, conversionOf(from, to), HALF_EVEN).value) - expected),
        ).toBeLessThanOrEqual(1e-12 * scale);
      }),
    );
  });

  it('converts consumption into economy by division, and refuses the reciprocal of 0', () => {
    expect(convert('30', 'mpg', 'L/100 km', 2).value).toBe('7.84');
    expect(convert('7.84', 'l/100km', 'UK mpg', 1).value).toBe('36.0');
    expect(convert('0', 'L/100km', 'L/10km').value).toBe('0');
    expect(() => convert('0', 'mpg', 'L/100km')).toThrow(expect.objectContaining({ code: 'unsupported-conversion' }));
  });

  it('gives twenty digits of an angle in radians, and does not call them exact', () => {
    expect(convert('180', 'deg', 'rad')).toEqual({ value: '3.1415926535897932385' });
    expect(convert('1', 'rad', 'deg')).toEqual({ value: '57.295779513082320877' });
    expect(convert('0.5', 'rad', 'mrad')).toEqual({ value: '500', exact: '500' });
  });

  it('names the dimensions of units that cannot become one another', () => {
    expect(() => convert('5', 'kg', 'm2')).toThrow(
      expect.objectContaining({
        code: 'incompatible-units',
        message: expect.stringContaining('kg (mass) cannot become m2 (area)'),
      }),
    );
  });

  it.each([
    ['2.5', 0, 'half-even', '2'],
    ['3.5', 0, 'half-even', '4'],
    ['2.5', 0, 'half-up', '3'],
    ['-2.5', 0, 'half-up', '-3'],
    ['-2.5', 0, 'half-even', '-2'],
    ['2.999', 2, 'down', '2.99'],
    ['-2.999', 2, 'down', '-2.99'],
    ['-0.004', 2, 'half-up', '0.00'],
    ['0.125', 2, 'half-even', '0.12'],
    ['1', 3, 'half-up', '1.000'],
    ['2/3', 4, 'half-up', '0.6667'],
    ['1000000000000000.5', 0, 'half-even', '1000000000000000'],
  ] as const)('rounds %s to %i digits by %s: %s', (text, precision, rounding, expected) => {
    expect(formatExact(decimalOf(text), { precision, rounding }).value).toBe(expected);
    expect(convertDecimal(text, conversionOf(unitOf('m'), unitOf('m')), { precision, rounding }).value).toBe(expected);
  });

  it('gives twenty significant digits and the fraction where the digits have no end', () => {
    expect(convert('1', 'm', 'ft')).toEqual({ value: '3.2808398950131233596', fraction: '1250/381' });
    expect(convert('1', 'm', 'ly').value).toBe('0.00000000000000010570008340246154637');
  });

  it.each([
    'NaN',
    'Infinity',
    '-',
    '.',
    '',
    'e5',
    '1e',
    '--1',
    '1,250',
    '1 000',
    '0x10',
    '1_000',
    '٣',
    '1/2/3',
    '1/',
    '\ud800',
  ])('refuses %j as a number', (text) => {
    expect(() => decimalOf(text)).toThrow(expect.objectContaining({ code: 'unparseable-value' }));
  });

  it.each(['1e400', '1e-401', '9'.repeat(401), '1e999999999', '-1e9999', `0.${'1'.repeat(401)}`])(
    'refuses %.12s… for its digits',
    (text) => {
      expect(() => decimalOf(text)).toThrow(
        expect.objectContaining({ message: expect.stringContaining('400 digits') }),
      );
    },
  );

  it.each([
    ['1e399', `1${'0'.repeat(399)}`],
    ['1e-400', `0.${'0'.repeat(399)}1`],
    ['9'.repeat(400), '9'.repeat(400)],
    ['0e999999', '0'],
    ['-0', '0'],
    ['+.50', '0.5'],
    ['5.', '5'],
    [`1.${'0'.repeat(900)}`, '1'],
    ['00012.50', '12.5'],
  ])('reads %.20s as it is', (text, expected) => {
    expect(exactOrFraction(decimalOf(text))).toBe(expected);
  });

  it('refuses to divide by zero', () => {
    expect(() => decimalOf('1/0')).toThrow(expect.objectContaining({ code: 'unparseable-value' }));
  });
});

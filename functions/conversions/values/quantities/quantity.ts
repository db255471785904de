import { ItemRefusal } from '../../items/item-refusal.ts';
import { exactOrFraction, powerOfTen } from './decimal.ts';
import { add, divide, isZero, lowestTerms, multiply, ONE, type Rational, subtract } from './rational.ts';
import type { Unit } from './unit-table.ts';

/** A conversion between two units: `value * factor + offset`, or `factor / value`. */
export interface Conversion {
  readonly factor: Rational;
  readonly offset: Rational;
  /** The factor in digits, as a fraction where these are infinite. */
  readonly factorText: string;
  /** True if one unit is the reciprocal of the other, as litres per 100 km and miles per gallon. */
  readonly reciprocal?: true;
  /** True if the factor contains pi, so no result is exact. */
  readonly approximate?: true;
  /** The same conversion in whole numbers; absent if these are not below 2 ^ 53. */
  readonly whole?: WholeConversion;
}

/** `(value * digits + zero) / (rest * 10 ^ places)`. */
export interface WholeConversion {
  readonly digits: number;
  readonly zero: number;
  /** The part of the divisor that is coprime to ten: a result is finite if this divides it, and always if this is 1. */
  readonly rest: number;
  readonly places: number;
}

/** The most cached conversions, enough for every pair of units in real use; beyond it the cache restarts. */
const CONVERSIONS_MAX = 5_000;
/** The conversions by the indexes of both units. */
let conversions: (Conversion | undefined)[][] = [];
let conversionsCached = 0;

/** The exact conversion between two units of one dimension; refused for others. */
export function conversionOf(from: Unit, to: Unit): Conversion {
  const cached = conversions[from.index]?.[to.index];
  if (cached) return cached;
  if (from.dimension !== to.dimension) {
    throw new ItemRefusal(
      'incompatible-units',
      `${from.code} (${from.dimension}) cannot become ${to.code} (${to.dimension})`,
    );
  }
  const conversion = newConversion(from, to);
  keep(from, to, conversion);
  return conversion;
}

function newConversion(from: Unit, to: Unit): Conversion {
  const reciprocal = from.reciprocal !== to.reciprocal;
  const approximate = from.approximate !== to.approximate;
  const ratio = divide(from.size, to.size);
  const factor = lowestTerms(to.reciprocal ? divide(ONE, ratio) : ratio);
  const offset = lowestTerms(divide(subtract(from.zero, to.zero), to.size));
  const factorText = exactOrFraction(factor);
  const whole = reciprocal || approximate ? undefined : wholeConversion(factor, offset);
  return {
    factor,
    offset,
    factorText,
    ...(reciprocal && { reciprocal }),
    ...(approximate && { approximate }),
    ...(whole && { whole }),
  };
}

function wholeConversion(factor: Rational, offset: Rational): WholeConversion | undefined {
  const common = lowestTerms({ numerator: factor.denominator, denominator: offset.denominator });
  let rest = factor.denominator * common.denominator;
  let [twos, fives] = [0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  const places = Math.max(twos, fives);
  const scale = rest * powerOfTen(places);
  const over = ({ numerator, denominator }: Rational) => (numerator * scale) / denominator;
  const [digits, zero] = [over(factor), over(offset)];
  const fits = [digits, zero, rest].every((each) => Number.isSafeInteger(Number(each)));
  return fits ? { digits: Number(digits), zero: Number(zero), rest: Number(rest), places } : undefined;
}

function keep(from: Unit, to: Unit, conversion: Conversion): void {
  if (++conversionsCached > CONVERSIONS_MAX) {
    conversions = [];
    conversionsCached = 1;
  }
  const row = (conversions[from.index] ??= []);
  row[to.index] = conversion;
}

export function convertQuantity(value: Rational, from: Unit, to: Unit): Rational {
  return converted(value, conversionOf(from, to));
}

export function converted(value: Rational, { factor, offset, reciprocal }: Conversion): Rational {
  if (reciprocal) return divide(factor, dividing(value));
  const scaled = multiply(value, factor);
  return isZero(offset) ? scaled : add(scaled, offset);
}

function dividing(value: Rational): Rational {
  if (!isZero(value)) return value;
  throw new ItemRefusal(
    'unsupported-conversion',
    '0 has no reciprocal, so it cannot become a unit that counts the other way.',
  );
}

import { ItemRefusal, quoteForMessage } from '../../items/item-refusal.ts';
import type { Rounding } from '../../items/options.ts';
import { divide, isZero, lowestTerms, type Rational, ZERO } from './rational.ts';

/** The most digits of a number written without an exponent. */
const DIGITS_MAX = 400;
/** Digits of an infinite result if the caller names no precision. */
const SIGNIFICANT_DIGITS = 20;
export const PRECISION_MAX = 30;

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

/** The rounding of a result. */
export interface RoundingOptions {
  readonly precision?: number | undefined;
  readonly rounding: Rounding;
}

/** The reasons for which a text is not a number of this service. */
export type NumberProblem = 'not-a-number' | 'too-many-digits';

const powersOfTen: bigint[] = [1n];
export function powerOfTen(exponent: number): bigint {
  for (let length = powersOfTen.length; length <= exponent; length++)
    powersOfTen.push((powersOfTen[length - 1] ?? 1n) * 10n);
  return powersOfTen[exponent] ?? 1n;
}

/** A decimal number as it is written in JSON, or with a sign `+` or a bare point at either end (`.5`, `5.`). */
export function readDecimal(text: string): Rational | NumberProblem {
  const [match, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (match === undefined || whole + fraction === '') return unreadable(text);
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return ZERO;
  const scale = fraction.length - Number(exponent);
  const digitCount = scale > 0 ? Math.max(digits.length, scale) : digits.length - scale;
  if (digitCount > DIGITS_MAX + trailingZeros(digits, scale)) return 'too-many-digits';
  const value = BigInt(sign === '-' ? `-${digits}` : digits);
  return scale > 0
    ? { numerator: value, denominator: powerOfTen(scale) }
    : { numerator: value * powerOfTen(-scale), denominator: 1n };
}

/** The number of trailing zeros of the fraction. */
function trailingZeros(digits: string, scale: number): number {
  if (scale <= 0) return 0;
  let zeros = 0;
  while (zeros < scale && digits[digits.length - 1 - zeros] === '0') zeros++;
  return zeros;
}

/** Larger exponents make numbers of more than 400 digits, whatever the mantissa. */
const unreadable = (text: string): NumberProblem =>
  /^[+-]?\d+(\.\d*)?[eE][+-]?\d+$/.test(text) ? 'too-many-digits' : 'not-a-number';

/** Parses a caller's number: a decimal, or a fraction of two (`5/9`). Anything else is refused with a reason. */
export function decimalOf(text: string, what = 'value'): Rational {
  const trimmed = text.trim();
  const slash = trimmed.indexOf('/');
  if (slash < 0) return knownDecimal(trimmed, what);
  const denominator = knownDecimal(trimmed.slice(slash + 1), what);
  if (isZero(denominator)) throw new ItemRefusal('unparseable-value', `The ${what} divides by zero.`);
  return divide(knownDecimal(trimmed.slice(0, slash), what), denominator);
}

function knownDecimal(text: string, what: string): Rational {
  const read = readDecimal(text);
  if (typeof read === 'object') return read;
  throw new ItemRefusal(
    'unparseable-value',
    read === 'too-many-digits'
      ? `The ${what} has more than ${DIGITS_MAX} digits.`
      : `The ${what} ${quoteForMessage(text)} is not a decimal number. Write it like 1234.5: a point before the decimals, nothing between thousands.`,
  );
}

/** The whole number next to a fraction by the given rule; `half-up` rounds halves away from zero. */
export function roundedWhole({ numerator, denominator }: Rational, rounding: Rounding): bigint {
  const whole = numerator / denominator;
  const rest = numerator - whole * denominator;
  if (rest === 0n || rounding === 'down') return whole;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const up = twice > denominator || (twice === denominator && (rounding === 'half-up' || (whole & 1n) === 1n));
  if (!up) return whole;
  return numerator < 0n ? whole - 1n : whole + 1n;
}

/** Exactly `precision` digits after the point. */
export function roundedText({ numerator, denominator }: Rational, precision: number, rounding: Rounding): string {
  const scaled = { numerator: numerator * powerOfTen(precision), denominator };
  return textOf(roundedWhole(scaled, rounding), precision);
}

/** All digits, without trailing zeros; undefined if they are infinite. */
export const exactText = (value: Rational): string | undefined => exactTextOf(lowestTerms(value));

/** The same for a fraction in lowest terms, whose digits are finite if 2 and 5 are the only primes of the denominator. */
function exactTextOf({ numerator, denominator }: Rational): string | undefined {
  if (denominator === 1n) return String(numerator);
  const ends = endOf(denominator);
  if (ends === undefined) return undefined;
  return textOf((numerator * powerOfTen(ends)) / denominator, ends);
}

/** Digits after the point of `1 / denominator`; undefined if they are infinite. */
function endOf(parts: bigint): number | undefined {
  let rest = parts;
  let [twos, fives] = [0, 0];
  for (; rest > MAX_SAFE && (rest & 1n) === 0n; rest >>= 1n) twos++;
  for (; rest > MAX_SAFE && rest % 5n === 0n; rest /= 5n) fives++;
  if (rest > MAX_SAFE) return undefined;
  // Floating-point division of whole numbers below 2 ^ 53 is exact, and much faster.
  let small = Number(rest);
  for (; small % 2 === 0; small /= 2) twos++;
  for (; small % 5 === 0; small /= 5) fives++;
  return small === 1 ? Math.max(twos, fives) : undefined;
}
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A result as text: rounded as requested, and exact. */
export interface FormattedNumber {
  /** Rounded to the precision; without one all digits, or twenty significant ones if they are infinite. */
  readonly value: string;
  /** All digits; absent if they are infinite. */
  readonly exact?: string;
  /** The fraction in lowest terms; present only if the digits are infinite. */
  readonly fraction?: string;
}

/** @param approximate the value is not exact, so digits beyond twenty have no meaning. */
export function formatExact(
  value: Rational,
  { precision, rounding }: RoundingOptions,
  approximate = false,
): FormattedNumber {
  const lowest = lowestTerms(value);
  const rounded = precision === undefined ? undefined : roundedText(lowest, precision, rounding);
  if (approximate) return { value: rounded ?? significantText(lowest, rounding) };
  const exact = exactTextOf(lowest);
  if (exact !== undefined) return { value: rounded ?? exact, exact };
  return {
    value: rounded ?? significantText(lowest, rounding),
    fraction: `${lowest.numerator}/${lowest.denominator}`,
  };
}

/** The exact value in its shortest finite form: decimal digits, or a fraction in lowest terms. */
export function exactOrFraction(value: Rational): string {
  const lowest = lowestTerms(value);
  return exactTextOf(lowest) ?? `${lowest.numerator}/${lowest.denominator}`;
}

/** Rounds to `precision`; without one all digits, or 20 significant ones if they are infinite. */
export const decimalText = (value: Rational, rounded: RoundingOptions): string => formatExact(value, rounded).value;

function significantText(value: Rational, rounding: Rounding): string {
  const places = Math.max(0, SIGNIFICANT_DIGITS - wholeDigits(value));
  const text = roundedText(value, places, rounding);
  const digits = text.replace(/^-?[0.]*/, '').replace('.', '').length;
  if (digits === SIGNIFICANT_DIGITS || (digits > SIGNIFICANT_DIGITS && places === 0)) return text;
  return roundedText(value, Math.max(0, places + SIGNIFICANT_DIGITS - digits), rounding);
}

/** An estimate of the number of digits before the point or, below zero, of zeros after it; off by one at most. */
function wholeDigits({ numerator, denominator }: Rational): number {
  const quotient = Math.abs(Number(numerator)) / Number(denominator);
  if (quotient > 0 && quotient < Infinity) return Math.floor(Math.log10(quotient)) + 1;
  return digitsOf(numerator) - digitsOf(denominator);
}

const digitsOf = (value: bigint): number => String(value < 0n ? -value : value).length;

/** A whole number divided by 10 ^ `places`; minus zero is zero. */
export function textOf(value: bigint | number, places: number): string {
  const text = String(value);
  if (places === 0) return text;
  const negative = value < 0;
  const digits = (negative ? text.slice(1) : text).padStart(places + 1, '0');
  const point = digits.length - places;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

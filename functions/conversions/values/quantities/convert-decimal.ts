import type { Rounding } from '../../items/options.ts';
import { decimalOf, type FormattedNumber, formatExact, type RoundingOptions, textOf } from './decimal.ts';
import { type Conversion, converted, type WholeConversion } from './quantity.ts';

/** Converts a caller's decimal text from one unit to another, exactly: never through a rounded floating-point number. */
export function convertDecimal(text: string, conversion: Conversion, rounded: RoundingOptions): FormattedNumber {
  return (
    fastFormat(text, conversion, rounded) ??
    formatExact(converted(decimalOf(text), conversion), rounded, conversion.approximate)
  );
}

/** A double holds every decimal of up to 15 digits: `String` returns the same digits. */
const DIGITS_LIMIT = 1e15;
/** The highest power of ten that a double holds exactly. */
const PLACES_MAX = 22;
/** The smallest number that `String` formats without an exponent. */
const PLAIN_MIN = 1e-6;
const TENS = Array.from({ length: PLACES_MAX + 1 }, (_, exponent) => Number(`1e${exponent}`));
const tens = (exponent: number): number => TENS[exponent] ?? Number.NaN;

/**
 * A fast path for short plain decimals with finite results; returns undefined for all others. The result equals that of
 * the exact path, because doubles add, multiply and take remainders of whole numbers below 10 ^ 15 exactly. The one
 * division, by a power of ten, is rounded, but two decimals of 15 digits never round to the same double.
 */
function fastFormat(text: string, { whole }: Conversion, rounded: RoundingOptions): FormattedNumber | undefined {
  if (whole === undefined) return undefined;
  const read = readShort(text);
  if (read === undefined) return exactFormat(text, whole, rounded);
  const product = read.digits * whole.digits;
  const sum = product + whole.zero * tens(read.places);
  const places = read.places + whole.places;
  if (Math.abs(product) >= DIGITS_LIMIT || Math.abs(sum) >= DIGITS_LIMIT) return exactFormat(text, whole, rounded);
  if (whole.rest !== 1 && sum % whole.rest !== 0) return undefined;
  const size = Math.abs(sum) / whole.rest;
  const magnitude = size / tens(places);
  if (!(places <= PLACES_MAX && (magnitude >= PLAIN_MIN || size === 0))) return exactFormat(text, whole, rounded);
  const sign = sum < 0 ? '-' : '';
  const exact = sign + String(magnitude);
  return rounded.precision === undefined ? { value: exact, exact } : cut({ sign, exact, size, places }, rounded);
}

const PLAIN = /^-?\d{1,300}(?:\.\d{1,100})?$/;

/** Converts a plain decimal of any length with one multiplication, if the result is finite. */
function exactFormat(
  text: string,
  whole: WholeConversion,
  { precision }: RoundingOptions,
): FormattedNumber | undefined {
  if (precision !== undefined || whole.zero !== 0 || !PLAIN.test(text)) return undefined;
  const point = text.indexOf('.');
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  const places = whole.places + (point < 0 ? 0 : text.length - point - 1);
  const all = product(digits, whole);
  if (all === undefined) return undefined;
  const exact = pointed(all, places);
  return { value: exact, exact };
}

/** The limb size that splits a product into two parts, both exact in floating point. */
const LIMB = 1e7;

function product(digits: string, { digits: factor, rest }: WholeConversion): string | undefined {
  if (rest !== 1 || digits.length >= 7 || digits.startsWith('-')) {
    const all = BigInt(digits) * BigInt(factor);
    if (rest === 1) return String(all);
    return all % BigInt(rest) === 0n ? String(all / BigInt(rest)) : undefined;
  }
  const number = Number(digits);
  const low = number * (factor % LIMB);
  const high = number * Math.floor(factor / LIMB) + Math.floor(low / LIMB);
  return high === 0 ? String(low) : String(high) + String(low % LIMB).padStart(7, '0');
}

/** Inserts a point before the last `places` digits, and drops trailing zeros. */
function pointed(digits: string, places: number): string {
  if (places === 0) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const size = digits.slice(sign.length).padStart(places + 1, '0');
  let end = size.length;
  const point = end - places;
  while (end > point && size.charCodeAt(end - 1) === ZERO) end--;
  return end === point ? sign + size.slice(0, point) : `${sign}${size.slice(0, point)}.${size.slice(point, end)}`;
}

interface Exact {
  readonly sign: string;
  readonly exact: string;
  /** `size / 10 ^ places` is the number without its sign. */
  readonly size: number;
  readonly places: number;
}

function cut(
  { sign, exact, size, places }: Exact,
  { precision = 0, rounding }: RoundingOptions,
): FormattedNumber | undefined {
  if (precision >= places) {
    const shifted = size * tens(precision - places);
    return shifted < DIGITS_LIMIT ? { value: sign + textOf(shifted, precision), exact } : undefined;
  }
  const whole = roundedUnits({ digits: size, unit: tens(places - precision) }, rounding);
  return { value: (whole > 0 ? sign : '') + textOf(whole, precision), exact };
}

/** `digits / 10 ^ places`. */
interface Short {
  readonly digits: number;
  readonly places: number;
}

/** Digits with at most one point and a minus before them; undefined for anything else, and for more than 15 digits. */
function readShort(text: string): Short | undefined {
  const negative = text.charCodeAt(0) === MINUS;
  const start = negative ? 1 : 0;
  let [digits, point] = [0, -1];
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === POINT && point < 0 && index > start) point = index;
    else if (code >= ZERO && code <= NINE) digits = digits * 10 + (code - ZERO);
    else return undefined;
    if (digits >= DIGITS_LIMIT) return undefined;
  }
  if (text.length === start || point === text.length - 1) return undefined;
  return { digits: negative ? -digits : digits, places: point < 0 ? 0 : text.length - point - 1 };
}
const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];

/** Rounds the digits to whole units by the rule; the caller handles the sign, since all rules are symmetric. */
function roundedUnits(
  { digits, unit }: { readonly digits: number; readonly unit: number },
  rounding: Rounding,
): number {
  const rest = digits % unit;
  const whole = (digits - rest) / unit;
  if (rounding === 'down' || rest * 2 < unit) return whole;
  if (rest * 2 === unit && rounding === 'half-even') return whole + (whole % 2);
  return whole + 1;
}

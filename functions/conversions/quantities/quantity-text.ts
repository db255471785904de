import type { Rounding } from '../items/options.ts';
import { decimalOf, type Rounded, textOf, type Written, written as writtenOf } from './decimal.ts';
import { type Conversion, converted } from './quantity.ts';

/** What a caller wrote in one unit, in another. */
export function convertText(text: string, conversion: Conversion, rounded: Rounded): Written {
  const written = quickly(text, conversion, rounded);
  if (written) return written;
  const exact = rounded.precision === undefined ? plainProduct(text, conversion) : undefined;
  if (exact !== undefined) return { value: exact, exact };
  return writtenOf(converted(decimalOf(text), conversion), rounded);
}

/** A decimal of up to 15 digits survives a double: `String` gives back exactly its digits. */
const DIGITS_LIMIT = 1e15;
/** Powers of ten that doubles hold exactly, and digits after the point for which `String` needs no exponent. */
const PLACES_MAX = 22;
const PLAIN_MIN = 1e-6;
const TENS = Array.from({ length: PLACES_MAX + 1 }, (_, exponent) => Number(`1e${exponent}`));
const tens = (exponent: number): number => TENS[exponent] ?? Number.NaN;

/**
 * The same text as the long way gives, for short plain decimals times a short factor: undefined for all else. Every step
 * is exact in floating point: whole numbers below 10 ^ 15, their remainders, and one division of such a number by a
 * power of ten, whose nearest double has no other decimal of 15 digits next to it.
 */
function quickly(text: string, { decimal }: Conversion, { precision, rounding }: Rounded): Written | undefined {
  if (decimal === undefined || decimal.small >= DIGITS_LIMIT) return undefined;
  const read = readShort(text);
  if (read === undefined) return undefined;
  const digits = read.digits * decimal.small;
  const places = read.places + decimal.places;
  const magnitude = digits / tens(places);
  if (!(digits < DIGITS_LIMIT && places <= PLACES_MAX && (magnitude >= PLAIN_MIN || digits === 0))) return undefined;
  const sign = read.negative && digits > 0 ? '-' : '';
  const exact = sign + String(magnitude);
  if (precision === undefined) return { value: exact, exact };
  if (precision >= places) {
    if (digits * tens(precision - places) >= DIGITS_LIMIT || precision > PLACES_MAX) return undefined;
    return { value: sign + textOf(digits * tens(precision - places), precision), exact };
  }
  const whole = roundedUnits({ digits, unit: tens(places - precision) }, rounding);
  return { value: (whole > 0 ? sign : '') + textOf(whole, precision), exact };
}

interface Short {
  readonly negative: boolean;
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
  return { negative, digits, places: point < 0 ? 0 : text.length - point - 1 };
}
const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];

/** How many whole units the digits make, by the rule; the sign is left to the caller, since all rules treat both alike. */
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

const PLAIN = /^-?\d{1,300}(?:\.\d{1,100})?$/;

/** A longer plain decimal times a factor that has an end, in one multiplication. */
function plainProduct(text: string, { decimal }: Conversion): string | undefined {
  if (decimal === undefined || !PLAIN.test(text)) return undefined;
  const point = text.indexOf('.');
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  const places = decimal.places + (point < 0 ? 0 : text.length - point - 1);
  return withoutZeros(textOf(BigInt(digits) * decimal.digits, places), places);
}

function withoutZeros(text: string, places: number): string {
  if (places === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  if (text.charCodeAt(end - 1) === POINT) end--;
  return text.slice(0, end);
}

import {
  exactText,
  powerOfTen,
  type RoundingOptions,
  roundedText,
  roundedWhole,
  textOf,
} from '../quantities/decimal.ts';
import { multiply, negate, type Rational, rational } from '../quantities/rational.ts';
import type { Coordinate } from './coordinate.ts';

/** Digits of a degree where the exact number is infinite: a tenth of a millimetre. */
const PLACES = 9;
/** Digits of a second for the same precision. */
const SECOND_PLACES = 5;
const SECONDS = rational(3600n);

/** One angle in decimal degrees. */
export function degreesText(
  degrees: Rational,
  { places }: Coordinate,
  { precision, rounding }: RoundingOptions,
): string {
  if (precision !== undefined) return roundedText(degrees, precision, rounding);
  if (places !== undefined) return roundedText(degrees, places, rounding);
  return exactText(degrees) ?? roundedText(degrees, PLACES, rounding);
}

export const writeDecimal = (coordinate: Coordinate, rounded: RoundingOptions): string =>
  [coordinate.latitude, coordinate.longitude].map((each) => degreesText(each, coordinate, rounded)).join(',');

export function writeDms({ latitude, longitude, places }: Coordinate, rounded: RoundingOptions): string {
  const precision = rounded.precision ?? (places === undefined ? undefined : Math.max(0, places - 3));
  const inSeconds = { ...rounded, precision };
  return `${dms(latitude, 'NS', inSeconds)} ${dms(longitude, 'EW', inSeconds)}`;
}

function dms(degrees: Rational, [positive, negative]: string, { precision, rounding }: RoundingOptions): string {
  const below = degrees.numerator < 0n;
  const seconds = multiply(below ? negate(degrees) : degrees, SECONDS);
  const decimals = precision ?? exactText(seconds)?.split('.')[1]?.length ?? (hasEnd(seconds) ? 0 : SECOND_PLACES);
  const scale = powerOfTen(decimals);
  const units = roundedWhole({ ...seconds, numerator: seconds.numerator * scale }, rounding);
  const minutes = units / (60n * scale);
  const rest = textOf(units % (60n * scale), decimals);
  return `${minutes / 60n}°${pad(minutes % 60n)}'${rest.split('.')[0]?.length === 1 ? '0' : ''}${rest}"${below ? negative : positive}`;
}

const hasEnd = (value: Rational): boolean => exactText(value) !== undefined;
const pad = (value: bigint): string => String(value).padStart(2, '0');

import { type RoundingOptions, readDecimal } from '../quantities/decimal.ts';
import { add, divide, negate, type Rational, rational, ZERO } from '../quantities/rational.ts';
import { assertShort, type Coordinate, onEarth, unparseable } from './coordinate.ts';
import { degreesText } from './decimal-and-dms.ts';

const ISO6709 =
  /^([+-])(\d{2})(\d{2})?(\d{2})?(\.\d+)?([+-])(\d{3})(\d{2})?(\d{2})?(\.\d+)?([+-]\d+(?:\.\d+)?)?(CRSWGS_84)?\/?$/;

/** `+37.7749-122.4194/`, also with minutes and seconds (`+374629.64-1222509.84/`) and with an altitude. */
export function readIso6709(text: string): Coordinate {
  assertShort(text);
  const match = ISO6709.exec(text.trim());
  if (!match) {
    throw unparseable(
      text,
      'ISO 6709 is written like +37.7749-122.4194/, with two digits of latitude and three of longitude',
    );
  }
  const [, ns = '', d1 = '', m1, s1, f1 = '', ew = '', d2 = '', m2, s2, f2 = '', altitude] = match;
  return onEarth({
    latitude: signed(ns, degrees([d1, m1, s1], f1, text)),
    longitude: signed(ew, degrees([d2, m2, s2], f2, text)),
    ...(altitude !== undefined && { altitude: altitude.replace(/^\+/, '') }),
  });
}

const signed = (sign: string, value: Rational): Rational => (sign === '-' ? negate(value) : value);

/** Decimals are allowed only in the last part. */
function degrees(parts: readonly (string | undefined)[], decimals: string, text: string): Rational {
  const written = parts.filter((part) => part !== undefined);
  return written.reduceRight((smaller, part, index) => {
    const value = readDecimal(index === written.length - 1 ? part + decimals : part);
    if (typeof value === 'string') throw unparseable(text, 'a number in it has more than 400 digits');
    if (index > 0 && value.numerator >= 60n * value.denominator)
      throw unparseable(text, 'minutes and seconds end at 60');
    return add(value, divide(smaller, rational(60n)));
  }, ZERO);
}

export function writeIso6709(coordinate: Coordinate, rounded: RoundingOptions): string {
  const { latitude, longitude, altitude } = coordinate;
  const height = altitude === undefined ? '' : `${altitude.startsWith('-') ? '' : '+'}${altitude}CRSWGS_84`;
  return `${part(latitude, 2)}${part(longitude, 3)}${height}/`;

  function part(value: Rational, digits: number): string {
    const text = degreesText(value, coordinate, rounded);
    const [whole = '', decimals] = text.replace('-', '').split('.');
    return `${text.startsWith('-') ? '-' : '+'}${whole.padStart(digits, '0')}${decimals === undefined ? '' : `.${decimals}`}`;
  }
}

import { ItemRefusal, quoteForMessage } from '../../items/item-refusal.ts';
import { exactText } from '../quantities/decimal.ts';
import { compare, negate, type Rational, rational } from '../quantities/rational.ts';

/** Degrees on WGS 84, exactly as in the text. */
export interface Coordinate {
  readonly latitude: Rational;
  readonly longitude: Rational;
  /** Significant digits after the point of a degree; absent if all are. Codes denote cells, not points. */
  readonly places?: number;
  /** The altitude in metres, which only ISO 6709 has. */
  readonly altitude?: string;
}

/** The longest text. No notation of a coordinate is longer. */
const TEXT_MAX = 1_000;

export function assertShort(text: string): void {
  if (text.length > TEXT_MAX) throw unparseable(text, `it is longer than ${TEXT_MAX} characters`);
}

const [LATITUDE_MAX, LONGITUDE_MAX] = [rational(90n), rational(180n)];

const isWithin = (value: Rational, limit: Rational): boolean =>
  compare(value, limit) <= 0 && compare(negate(limit), value) <= 0;

/** Refuses coordinates outside the globe, and says so if the two numbers seem to be swapped. */
export function onEarth(coordinate: Coordinate): Coordinate {
  const { latitude, longitude } = coordinate;
  if (!isWithin(latitude, LATITUDE_MAX)) {
    const swapped = isWithin(latitude, LONGITUDE_MAX) && isWithin(longitude, LATITUDE_MAX);
    throw new ItemRefusal(
      'unparseable-value',
      `The latitude ${shortText(latitude)} is not between -90 and 90.${swapped ? ' The latitude comes first.' : ''}`,
    );
  }
  if (!isWithin(longitude, LONGITUDE_MAX)) {
    throw new ItemRefusal('unparseable-value', `The longitude ${shortText(longitude)} is not between -180 and 180.`);
  }
  return coordinate;
}

const shortText = (value: Rational): string => (exactText(value) ?? String(asNumber(value))).slice(0, 20);

/** The nearest floating-point number. */
export const asNumber = ({ numerator, denominator }: Rational): number => {
  // Twenty decimal digits hold more than the 53 bits of the result, and the quotient is far below 10 ^ 308.
  return Number((numerator * 10n ** 20n) / denominator) / 1e20;
};

export const unparseable = (text: string, reason: string): ItemRefusal =>
  new ItemRefusal('unparseable-value', `${quoteForMessage(text)} cannot be read: ${reason}.`);

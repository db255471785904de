import { countriesAt } from '../values/geography/country-at.ts';
import { isOnEarth, type Point } from '../values/geography/point.ts';
import { exactOrFraction } from '../values/quantities/decimal.ts';
import type { Rational } from '../values/quantities/rational.ts';
import type { Judgement, Spot } from './judgement.ts';
import { numberOf } from './number-rules.ts';

/** A parsed coordinate and its pointer. */
export interface Coordinate {
  readonly path: string;
  readonly degrees: number;
}

const DEGREES_MAX = { latitude: 90, longitude: 180 };

export function judgeCoordinate(
  spot: Spot,
  judgement: Judgement,
  kind: 'latitude' | 'longitude',
): Coordinate | undefined {
  const number = numberOf(spot, judgement);
  if (number === undefined) return undefined;
  const degrees = toDegrees(number);
  const most = DEGREES_MAX[kind];
  if (Math.abs(degrees) <= most) return { path: spot.path, degrees };
  const detail = `A ${kind} lies between -${most} and ${most} degrees.`;
  judgement.error(spot.path, `${kind}.range`, { detail });
  return undefined;
}

const toDegrees = (number: Rational): number => {
  const [over = '', under = '1'] = exactOrFraction(number).split('/');
  return Number(over) / Number(under);
};

/** The coordinates of an object, as far as they are present: undefined for one that cannot be read. */
export type ReadPoint = Readonly<Partial<Record<'latitude' | 'longitude', Coordinate | undefined>>>;

/** The tolerance: borders are simplified, and an address may name the country across the street. */
const NEAR_DEGREES = 0.05;

/** Judges whether the point lies in the record's country, and if not, suggests the likely mistake. */
export async function judgePoint(read: ReadPoint, judgement: Judgement) {
  const { latitude, longitude } = read;
  if (latitude === undefined || longitude === undefined) {
    const lone = Object.keys(read).length === 1 ? (latitude ?? longitude) : undefined;
    if (lone) judgement.warn(lone.path, 'point.incomplete', { detail: 'A point has a latitude and a longitude.' });
    return;
  }
  const { path } = latitude;
  const point = { latitude: latitude.degrees, longitude: longitude.degrees };
  if (point.latitude === 0 && point.longitude === 0) {
    judgement.warn(path, 'point.zero', {
      detail: 'The point 0, 0 lies in the sea. Mostly it stands for a point that is not known.',
    });
    return;
  }
  const { country } = judgement;
  const countries = await countriesNear(point);
  if (countries.size === 0) judgement.warn(path, 'point.no-country', { detail: 'The point lies in no country.' });
  else if (country !== undefined && !countries.has(country)) {
    const [first] = countries;
    const slip = await slipOf(point, country);
    const detail = `The point lies in ${first}, and the record belongs to ${country}.`;
    judgement.error(path, 'point.country', { detail: slip === undefined ? detail : `${detail} ${slip}` });
  }
}

async function countriesNear({ latitude, longitude }: Point): Promise<ReadonlySet<string>> {
  const steps = [0, -NEAR_DEGREES, NEAR_DEGREES];
  const countries = new Set<string>();
  for (const north of steps) {
    for (const east of steps) {
      for (const country of await countriesAt({ latitude: latitude + north, longitude: longitude + east })) {
        countries.add(country);
      }
    }
  }
  return countries;
}

/** The common mistakes, tried in this order. */
async function slipOf({ latitude, longitude }: Point, country: string): Promise<string | undefined> {
  const slips: readonly (readonly [string, Point])[] = [
    ['Latitude and longitude seem to be swapped.', { latitude: longitude, longitude: latitude }],
    ['The longitude seems to lack its sign.', { latitude, longitude: -longitude }],
    ['The latitude seems to lack its sign.', { latitude: -latitude, longitude }],
  ];
  for (const [sentence, point] of slips) {
    if (isOnEarth(point) && (await countriesAt(point)).includes(country)) return sentence;
  }
  return undefined;
}

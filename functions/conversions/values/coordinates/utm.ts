import { ItemRefusal } from '../../items/item-refusal.ts';
import { type RoundingOptions, readDecimal, roundedText } from '../quantities/decimal.ts';
import type { Rational } from '../quantities/rational.ts';
import { asNumber, assertShort, type Coordinate, unparseable } from './coordinate.ts';
import { project, unproject } from './transverse-mercator.ts';

export const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
const EAST_OFFSET = 500_000;
const SOUTH_OFFSET = 10_000_000;
/** The arithmetic is exact to some nanometres. */
const METRE_PLACES_MAX = 6;
const METRE_PLACES = 3;

export interface Utm {
  readonly zone: number;
  readonly south: boolean;
  /** Metres. */
  readonly easting: number;
  readonly northing: number;
}

const meridianOf = (zone: number): number => zone * 6 - 183;

/** Zones are six degrees wide, except around Norway and Svalbard. */
function zoneOf(latitude: number, longitude: number): number {
  if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12) return 32;
  if (latitude >= 72 && longitude >= 0 && longitude < 42) {
    if (longitude < 9) return 31;
    if (longitude < 21) return 33;
    return longitude < 33 ? 35 : 37;
  }
  return Math.min(60, Math.floor((longitude + 180) / 6) + 1);
}

export const bandOf = (latitude: number): string => BANDS.charAt(Math.min(19, Math.floor((latitude + 80) / 8)));

export function utmOf(coordinate: Coordinate): Utm & { readonly latitude: number } {
  const [latitude, longitude] = [asNumber(coordinate.latitude), asNumber(coordinate.longitude)];
  if (latitude < -80 || latitude > 84) {
    throw new ItemRefusal(
      'unsupported-conversion',
      'UTM and MGRS cover latitudes from -80 to 84; the poles have none here.',
    );
  }
  const zone = zoneOf(latitude, longitude);
  const { east, north } = project({ latitude, longitude: longitude - meridianOf(zone) });
  const south = latitude < 0;
  return { zone, south, easting: east + EAST_OFFSET, northing: south ? north + SOUTH_OFFSET : north, latitude };
}

/** `places` are the significant digits of a metre; negative for cells of 10 m and more. */
export function ofUtm({ zone, south, easting, northing }: Utm, places: number): Coordinate {
  const north = south ? northing - SOUTH_OFFSET : northing;
  const { latitude, longitude } = unproject({ east: easting - EAST_OFFSET, north });
  const turned = ((longitude + meridianOf(zone) + 540) % 360) - 180;
  return { latitude: fixed(latitude), longitude: fixed(turned), places: Math.min(12, Math.max(0, places + 6)) };
}

/** Twelve digits of a degree are a tenth of a micrometre. */
function fixed(value: number): Rational {
  const read = readDecimal(value.toFixed(12));
  if (typeof read === 'string') throw new TypeError(`the projection gave ${value}`);
  return read;
}

/**
 * `10 north 551130.768 4180998.882`. The word is written out, because many readers take `10S` for the band S, which is
 * in the north.
 */
export function writeUtm(coordinate: Coordinate, { precision = METRE_PLACES, rounding }: RoundingOptions): string {
  if (precision > METRE_PLACES_MAX) {
    throw new ItemRefusal('precision-out-of-range', `UTM is computed to ${METRE_PLACES_MAX} digits of a metre.`);
  }
  const { zone, south, easting, northing } = utmOf(coordinate);
  const metres = (value: number) => roundedText(fixed(value), precision, rounding);
  return `${zone} ${south ? 'south' : 'north'} ${metres(easting)} ${metres(northing)}`;
}

const UTM =
  /^(?:zone )?(\d{1,2}) ?(north|south|[c-hj-np-x]),? (\d+(?:\.\d+)?) ?(?:m ?e)?,? (\d+(?:\.\d+)?) ?(?:m ?n)?$/;

export function readUtm(text: string): Coordinate {
  assertShort(text);
  const match = UTM.exec(text.trim().toLowerCase().replace(/\s+/g, ' '));
  const [, zoneText = '', hemisphere = '', easting = '', northing = ''] = match ?? [];
  const [zone, east, north] = [Number(zoneText), Number(easting), Number(northing)];
  if (!match || zone < 1 || zone > 60) {
    throw unparseable(text, 'UTM is written like 10 north 551130.768 4180998.882: zone, hemisphere, easting, northing');
  }
  if (east < 100_000 || east >= 1_000_000 || north > SOUTH_OFFSET) {
    throw unparseable(text, 'an easting has six digits before the point, and a northing is at most 10000000');
  }
  const places = Math.max(easting.split('.')[1]?.length ?? 0, northing.split('.')[1]?.length ?? 0);
  const at = (south: boolean) =>
    ofUtm({ zone, south, easting: east, northing: north }, Math.min(places, METRE_PLACES_MAX));
  const isSouth = hemisphere === 's' ? isSouthern(at(false), { text, zone, easting, northing }) : southern(hemisphere);
  const coordinate = at(isSouth);
  const latitude = asNumber(coordinate.latitude);
  if (latitude < -80.5 || latitude > 84.5) throw unparseable(text, 'it lies beyond the latitudes of UTM, -80 to 84');
  return coordinate;
}

const southern = (hemisphere: string): boolean =>
  hemisphere === 'south' || (hemisphere.length === 1 && hemisphere < 'n');

interface Parts {
  readonly text: string;
  readonly zone: number;
  readonly easting: string;
  readonly northing: string;
}

/** `S` is the southern hemisphere, or the band from 32 to 40 degrees north. Only a northing outside the band decides. */
function isSouthern(asNorth: Coordinate, { text, zone, easting, northing }: Parts): boolean {
  const latitude = asNumber(asNorth.latitude);
  if (latitude < 31.9 || latitude > 40.1) return true;
  const candidates = ['north', 'south'].map((each) => `${zone} ${each} ${easting} ${northing}`);
  throw new ItemRefusal(
    'ambiguous-value',
    `In ${JSON.stringify(text)} the letter S may be the southern hemisphere or the band S in the north.`,
    {
      candidates,
    },
  );
}

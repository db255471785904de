import geohash from 'ngeohash';
import { OpenLocationCode } from 'open-location-code';
import { isOnEarth, type Point } from './point.ts';

/** Geohash of a point. Each character narrows the cell; nine make it about 5 m wide. */
export function geohashAt(point: Point, characters: number): string | undefined {
  return isOnEarth(point) ? geohash.encode(point.latitude, point.longitude, characters) : undefined;
}

const PLUS_CODE_DIGITS = 10;
/** The published types are those of a later version, whose methods are static. */
const codec = new OpenLocationCode() as unknown as Pick<typeof OpenLocationCode, 'encode'>;

/** Full plus code (Open Location Code) of ten digits: a cell of about 14 m. */
export function plusCodeAt({ latitude, longitude }: Point): string | undefined {
  if (!isOnEarth({ latitude, longitude })) return undefined;
  return codec.encode(latitude, longitude, PLUS_CODE_DIGITS);
}

/**
 * H3 cell of a point. Resolution 5 has cells of about 250 km2, resolution 8 of about 0.7 km2. The library loads with the
 * first call.
 */
export async function hexagonAt(point: Point, resolution: number): Promise<string | undefined> {
  if (!isOnEarth(point)) return undefined;
  const { latLngToCell } = await import('h3-js');
  return latLngToCell(point.latitude, point.longitude, resolution);
}

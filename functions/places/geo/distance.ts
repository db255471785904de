/** A place on the globe, in degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Tables refuse numbers nearer to 0 than 1e-130; no position is known to a fraction of this. */
const LEAST = 1e-100;

/** The degrees or metres as a table can hold them. */
export const storable = (value: number): number => (Math.abs(value) < LEAST ? 0 : value);

/** Mean radius of the Earth in metres (IUGG). Distances here are those on a sphere of this radius. */
export const EARTH_RADIUS_METERS = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance in metres, by the haversine formula, which is exact for near points too. */
export function distanceMeters(a: Point, b: Point): number {
  const latitudes = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const longitudes = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const half = latitudes + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * longitudes;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(half)));
}

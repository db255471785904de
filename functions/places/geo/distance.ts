/** A place on the globe, in degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** DynamoDB refuses numbers closer to 0 than 1e-130. No position is known this precisely. */
const MAGNITUDE_MIN = 1e-100;

/** Rounds degrees or metres to a number that DynamoDB can store. */
export const storable = (value: number): number => (Math.abs(value) < MAGNITUDE_MIN ? 0 : value);

/** The mean radius of the Earth in metres (IUGG). All distances assume a sphere of this radius. */
export const EARTH_RADIUS_METERS = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance in metres, by the haversine formula, which stays exact at short distances. */
export function distanceMeters(a: Point, b: Point): number {
  const latitudes = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const longitudes = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const half = latitudes + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * longitudes;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(half)));
}

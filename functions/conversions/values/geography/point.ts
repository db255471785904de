/** Degrees on WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** False for NaN and infinities too. Points passed to this folder must satisfy it. */
export const isOnEarth = ({ latitude, longitude }: Point): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/** Degrees on WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** False for NaN and infinities too. What this room is called with must pass. */
export const isOnEarth = ({ latitude, longitude }: Point): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

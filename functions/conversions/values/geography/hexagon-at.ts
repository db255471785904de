import { isOnEarth, type Point } from './point.ts';

/**
 * H3 cell of a point. Resolution 5 has cells of about 250 km2, resolution 8 of about 0.7 km2. The library loads with the
 * first call.
 */
export async function hexagonAt(point: Point, resolution: number): Promise<string | undefined> {
  if (!isOnEarth(point)) return undefined;
  const { latLngToCell } = await import('h3-js');
  return latLngToCell(point.latitude, point.longitude, resolution);
}

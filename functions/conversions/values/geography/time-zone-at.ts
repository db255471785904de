import { isOnEarth, type Point } from './point.ts';

/** IANA time zone of a point; at sea that of its meridian, such as Etc/GMT+3. The map of zones loads with the first call. */
export async function timeZoneAt(point: Point): Promise<string | undefined> {
  if (!isOnEarth(point)) return undefined;
  const { default: zoneAt } = await import('@photostructure/tz-lookup');
  return zoneAt(point.latitude, point.longitude);
}

import { type Place, placesOf } from '../../fields/fields.ts';

const parentOf = (place: Place): string => place.slice(0, -1).join('/');
const longitudes = Map.groupBy(placesOf('lon'), parentOf);

/** The places where a record may hold its point: both coordinates are in the same object. */
export const POINTS = [...Map.groupBy(placesOf('lat'), parentOf)].map(([parent, latitudes]) => ({
  latitudes,
  longitudes: longitudes.get(parent) ?? [],
}));

import { type Place, placesOf } from '../../fields/fields.ts';

const parentOf = (place: Place): string => place.slice(0, -1).join('/');
const longitudes = Map.groupBy(placesOf('lon'), parentOf);

/** Where a record may hold its point: both coordinates stand in one object. */
export const POINTS = [...Map.groupBy(placesOf('lat'), parentOf)].map(([parent, latitudes]) => ({
  latitudes,
  longitudes: longitudes.get(parent) ?? [],
}));

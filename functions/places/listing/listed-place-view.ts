import type { App } from '#shared/loyalty/app';
import { distanceLabel } from './distance-label.ts';
import type { PlaceForCustomer } from './list-places.ts';

/**
 * A place as the loyalty interface shows it: see "Interface" in the README. Distances are rounded only
 * here.
 */
export const presentListedPlace = (
  { place, distance, state, acceptedDistance, creativeId }: PlaceForCustomer,
  { distanceUnit }: Pick<App, 'distanceUnit'>,
) => ({
  id: place.id,
  name: place.name,
  state,
  distance: Math.round(distance),
  distance_label: distanceLabel(distance, distanceUnit),
  accepted_distance: acceptedDistance,
  promoted: creativeId !== undefined,
  points: place.points,
  icon: place.icon,
  location: {
    lat: place.latitude,
    lng: place.longitude,
    address: place.address,
    city: place.city,
    state: place.state,
  },
  check_in: {
    place_id: place.id,
    venue_id: place.venueId,
    creative_id: creativeId ?? null,
    state,
    // A place that is too far is never said to be 0 metres too far.
    distance: distance > acceptedDistance ? Math.max(1, Math.round(distance) - acceptedDistance) : 0,
  },
});

import type { App } from '#shared/loyalty/app';
import { distanceLabel } from './distance-label.ts';
import type { Listed } from './list-places.ts';

/** A place as the loyalty interfaces show it (specification 002, section 2). Distances are rounded only here. */
export const presentListed = (
  { place, distance, state, acceptedDistance, creativeId }: Listed,
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
    // No place that is too far is said to be 0 metres too far.
    distance: distance > acceptedDistance ? Math.max(1, Math.round(distance) - acceptedDistance) : 0,
  },
});

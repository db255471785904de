import { describe, expect, it } from 'vitest';
import type { PlaceForCustomer } from '../../../functions/places/listing/list-places.ts';
import { presentListedPlace } from '../../../functions/places/listing/listed-place-view.ts';

const LISTED: PlaceForCustomer = {
  place: {
    id: 'place-1',
    venueId: 4_503_599_627_370_495,
    name: 'Bakery',
    icon: 'https://example.com/icon.png',
    address: 'Main Street 1',
    city: 'Springfield',
    state: 'OR',
    latitude: 44.05,
    longitude: -123.02,
    brand: 'Acme',
    points: 25,
    acceptedDistanceMeters: 80,
    closed: false,
  },
  distance: 1_234.5,
  state: 'toofar',
  acceptedDistance: 80,
  creativeId: 99,
};
const view = (own: Partial<PlaceForCustomer> = {}, distanceUnit: 'mi' | 'km' = 'km') =>
  presentListedPlace({ ...LISTED, ...own }, { distanceUnit });

describe('a place in a list', () => {
  it('is shown with exactly the specified members', () => {
    expect(view()).toStrictEqual({
      id: 'place-1',
      name: 'Bakery',
      state: 'toofar',
      distance: 1_235,
      distance_label: '1.2 km',
      accepted_distance: 80,
      promoted: true,
      points: 25,
      icon: 'https://example.com/icon.png',
      location: { lat: 44.05, lng: -123.02, address: 'Main Street 1', city: 'Springfield', state: 'OR' },
      check_in: {
        place_id: 'place-1',
        venue_id: 4_503_599_627_370_495,
        creative_id: 99,
        state: 'toofar',
        distance: 1_155,
      },
    });
  });

  it('is labelled in the unit of the app', () => {
    expect(view({}, 'mi').distance_label).toBe('0.8 mi');
  });

  it('without an ad unit is not promoted, and says so with null', () => {
    const { promoted, check_in: checkIn } = view({ creativeId: undefined });
    expect([promoted, checkIn.creative_id]).toEqual([false, null]);
  });

  it('shows the distance to a possible check-in, which is 0 metres only within reach', () => {
    const away = (distance: number) => view({ distance }).check_in.distance;
    expect([0, 79.9, 80, 80.01, 81, 81.2].map(away)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(view({ distance: 80.4 }).distance).toBe(80);
  });
});

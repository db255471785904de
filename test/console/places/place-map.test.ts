import { expect, it } from 'vitest';
import { PLACE_SCREENS } from '../../../functions/console/places/place.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const PLACE = {
  id: 'cafe',
  venueId: 1,
  name: 'Cafe',
  icon: '',
  address: '',
  city: '',
  state: '',
  latitude: 60,
  longitude: 10,
  brand: '',
  points: 0,
  closed: false,
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
};
const pageOf = (own: object) =>
  renderedScreen(PLACE_SCREENS.item, {
    path: { id: 'cafe' },
    answers: { 'GET loyalty/places/cafe': { ...PLACE, ...own }, 'GET loyalty/places/cafe/check-ins': { items: [] } },
  });

it.each([
  // Half of the 640 pixels are a kilometre, or three radii.
  [250, '80.0'],
  [5_000, '106.7'],
])('the page of a place draws its radius of %i m as a circle', async (acceptedDistanceMeters, radius) => {
  const { html, text } = await pageOf({ acceptedDistanceMeters });
  expect(html).toContain(`<circle class="ring" cx="320.0" cy="220.0" r="${radius}"`);
  expect(text).toMatch(/Customers can check in within [\d,]+ m, the circle\./);
});

it('the page of a place without a radius draws none, and says whose applies', async () => {
  const { html, text } = await pageOf({});
  expect(html).not.toContain('class="ring"');
  expect(text).toContain("The radius of the customer's app applies.");
});

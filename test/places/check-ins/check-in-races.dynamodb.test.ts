import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { expectedRaces, racesOf } from './check-in-races.ts';

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

it('of check-ins that all arrive at the same time, exactly as many succeed as the limits allow', async () => {
  expect(await racesOf(desk, 40)).toEqual(expectedRaces(40));
});

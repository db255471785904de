/** The races of `check-in-races.dynamodb.test.ts` with a thousand check-ins each. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { expectedRaces, racesOf } from './check-in-races.ts';

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

it('of a thousand check-ins that all arrive at the same time, exactly as many succeed as the limits allow', async () => {
  expect(await racesOf(desk, 1_000)).toEqual(expectedRaces(1_000));
});

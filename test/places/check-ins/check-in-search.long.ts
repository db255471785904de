/** The search of `check-in-search.dynamodb.test.ts` with wider bounds: thousands of check-ins. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { searchCheckIns, walkCheckIns } from './check-in-search.ts';

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

it('check-ins and lists do what the specification says, in every order of four steps', async () => {
  const result = await searchCheckIns(desk, 4);
  process.stdout.write(
    `${result.states} states, ${result.made} check-ins, refused: ${JSON.stringify(result.refused)}\n`,
  );
  expect(result.differences).toEqual([]);
  expect(result.checkInStates.size).toBe(8);
});

it('check-ins and lists do so in long lives', async () => {
  const result = await walkCheckIns(desk, { walks: 60, steps: 40, random: Math.random });
  expect(result.differences).toEqual([]);
});

/** The search of `check-in-search.dynamodb.test.ts` with wider bounds: thousands of check-ins. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlacesDesk, type PlacesDesk } from '../../support/places-desk.ts';
import { searchCheckIns, walkCheckIns } from './check-in-search.ts';

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

it('check-ins and lists do what the specification says, in every order of four steps', async () => {
  const found = await searchCheckIns(desk, 4);
  process.stdout.write(`${found.states} states, ${found.made} check-ins, refused: ${JSON.stringify(found.refused)}\n`);
  expect(found.differences).toEqual([]);
  expect(found.shown.size).toBe(8);
});

it('check-ins and lists do so in long lives', async () => {
  const found = await walkCheckIns(desk, { walks: 60, steps: 40, random: Math.random });
  expect(found.differences).toEqual([]);
});

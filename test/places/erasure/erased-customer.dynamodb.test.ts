import { afterAll, beforeAll, expect, it } from 'vitest';
import { erasePlacesOf } from '../../../functions/places/erasure/erased-customer.dynamodb.ts';
import { unlessKilled } from '../../support/faults/mortal-clients.ts';
import { CENTRE, keyOf, newApp, newCaller, openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { deaths } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const app = newApp({ checkInsPerDay: 1_000 });

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

/** A customer who has listed places and checked in at two of them. */
async function visitor() {
  const caller = newCaller(app);
  await desk.stand(caller, CENTRE, NOW);
  for (let n = 0; n < 2; n += 1) await desk.checkIn({ caller, place: await desk.place(app.tenant), now: NOW + n });
  return caller;
}

const storedOf = async (id: string) => {
  const [places = []] = await desk.everything();
  return places.filter((item) => JSON.stringify(item).includes(id)).map(({ pk, sk }) => `${pk} ${sk}`);
};

it('nothing of an erased customer is left, and everything of another, wherever the function dies', async () => {
  const other = await visitor();
  const items = await storedOf(other.customer.id);
  expect(items).toHaveLength(4);
  for (const mortality of deaths()) {
    const caller = await visitor();
    expect(await storedOf(caller.customer.id)).toHaveLength(4);
    const { name, client } = desk.places;
    await erasePlacesOf({ name, client: mortality.bind(client) }, keyOf(caller)).catch(unlessKilled);
    await erasePlacesOf(desk.places, keyOf(caller));
    expect(await storedOf(caller.customer.id), String(mortality)).toEqual([]);
  }
  expect(await storedOf(other.customer.id)).toEqual(items);
});

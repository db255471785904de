import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachedPromotions } from '../../../functions/places/ad-units/cached-promotions.dynamodb.ts';
import { placesById } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { keepListing, listingIn, listingKey } from '../../../functions/places/check-in-rules/last-listings.dynamodb.ts';
import { stateOf } from '../../../functions/places/check-in-rules/standing.ts';
import { standingStore } from '../../../functions/places/check-in-rules/standing-items.dynamodb.ts';
import { type ListingDeps, listPlaces } from '../../../functions/places/listing/list-places.ts';
import { readListRequest } from '../../../functions/places/listing/list-request.ts';
import { nearby } from '../../../functions/places/nearby/nearby.ts';
import { nearestOf } from '../../../functions/places/nearby/nearest-places.ts';
import { placeIndex } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { getItem } from '../../../shared/table/table.dynamodb.ts';
import {
  type Caller,
  CENTRE,
  keyOf,
  newApp,
  newCaller,
  northOf,
  openPlacesDesk,
  type PlacesDesk,
} from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const AROUND = `location[latitude]=${CENTRE.latitude}&location[longitude]=${CENTRE.longitude}`;

let desk: PlacesDesk;
let deps: ListingDeps;
beforeAll(async () => {
  desk = await openPlacesDesk();
  deps = {
    nearby: (tenant, query) => nearby(placeIndex(desk.places, tenant), query),
    byIds: async (tenant, ids, query) => nearestOf(await placesById(desk.places, tenant, ids), query),
    promotions: cachedPromotions(desk.places),
    standings: standingStore(desk.places),
    keepListing: (customer, listing) => keepListing(desk.places, customer, listing),
  };
});
afterAll(() => desk.close());

const list = (caller: Caller, query = AROUND, now = NOW) => listPlaces(deps, caller, readListRequest(query), now);
const states = async (caller: Caller, query?: string, now?: number) =>
  Object.fromEntries((await list(caller, query, now)).map(({ place, state }) => [place.id, state]));
const storedListing = async (caller: Caller) => {
  const item = await getItem(desk.places, listingKey(keyOf(caller)));
  return item && listingIn(item);
};

describe('a list on the table', () => {
  it('shows the places of its tenant with what the index holds of them', async () => {
    const app = newApp();
    const fields = { name: 'Bakery', icon: 'https://example.com/i', address: 'Street 1', city: 'Berlin', state: 'BE' };
    const whole = { ...fields, brand: 'Acme', points: 9, acceptedDistanceMeters: 70, closed: false };
    const near = await desk.place(app.tenant, { ...northOf(CENTRE, 50), ...whole });
    await desk.place(newApp().tenant, {});
    const [one, ...others] = await list(newCaller(app));
    expect(others).toEqual([]);
    const { createdAt: _, updatedAt: __, tenant: ___, ...view } = near;
    expect(one?.place).toEqual(view);
    expect(one).toMatchObject({ state: 'checkable', acceptedDistance: 70 });
  });

  it('and a check-in agree on every place, before and after it', async () => {
    const app = newApp({ checkInsPerDay: 2, checkInsPerBrandAndDay: 1, cooldownSeconds: 600 });
    const caller = newCaller(app);
    const places = [
      await desk.place(app.tenant, { id: 'a', brand: 'A' }),
      await desk.place(app.tenant, { id: 'a-too', brand: 'A' }),
      await desk.place(app.tenant, { id: 'b', brand: 'B' }),
      await desk.place(app.tenant, { id: 'far', ...northOf(CENTRE, 300) }),
      await desk.place(app.tenant, { id: 'closed', closed: true }),
    ];
    const expected = [
      ['a', { a: 'checkable', 'a-too': 'checkable', b: 'checkable', far: 'toofar', closed: 'not_checkable' }],
      ['b', { a: 'alreadycheckedin_checkable', 'a-too': 'blocked_checkable', b: 'checkable', far: 'toofar' }],
      ['', { a: 'alreadycheckedin_checkable', 'a-too': 'blocked_limithit', far: 'blocked_limithit' }],
    ] as const;
    for (const [next, expectation] of expected) {
      const before = await states(caller);
      expect(before).toMatchObject(expectation);
      for (const place of places) {
        if (before[place.id] === 'checkable') continue;
        expect(await desk.checkIn({ caller, place, now: NOW })).toHaveProperty('code');
      }
      const place = places.find(({ id }) => id === next);
      if (place) expect(await desk.checkIn({ caller, place, now: NOW })).toMatchObject({ nextAt: NOW + 600_000 });
    }
    expect(await states(caller, AROUND, NOW + 600_000)).toMatchObject({ a: 'blocked_limithit' });
    expect(await states(caller, AROUND, Date.parse('2026-11-16T00:00:00.000Z'))).toMatchObject({ a: 'checkable' });
  });

  it('knows everything about a customer with more check-ins than one read returns', async () => {
    const app = newApp({ checkInsPerDay: 1_000 });
    const caller = newCaller(app);
    await desk.stand(caller, CENTRE, NOW);
    const places = await Promise.all(
      Array.from({ length: 101 }, (_, n) => desk.place(app.tenant, { ...northOf(CENTRE, n % 90) })),
    );
    const store = standingStore(desk.places);
    for (const [n, place] of places.entries()) {
      // With the counts of the day: one item less than one read takes.
      if (n === 98) expect((await store.whole(keyOf(caller), NOW))?.dayCount).toBe(98);
      await desk.checkIn({ caller, place, now: NOW });
    }
    expect(await store.whole(keyOf(caller), NOW)).toBeUndefined();
    const listed = await list(caller, `${AROUND}&location[limit]=100`);
    expect(listed).toHaveLength(100);
    expect(new Set(listed.map(({ state }) => state))).toEqual(new Set(['alreadycheckedin_checkable']));
    const standing = await store.at(keyOf(caller), [places[7]!.id], NOW);
    expect([standing.dayCount, [...standing.nextAt.keys()]]).toEqual([101, [places[7]!.id]]);
    const seen = { app: { ...app, checkInsPerDay: 101 }, standing, distance: 0, now: NOW };
    expect(stateOf(places[8]!, seen)).toBe('blocked_limithit');
  });

  it('of an ad unit shows the current place even if the index is late, and no deleted one', async () => {
    const app = newApp();
    const one = await desk.place(app.tenant, { ...northOf(CENTRE, 10) });
    const listed = await deps.byIds(app.tenant, [one.id, 'unknown'], { centre: CENTRE, radiusMeters: 100, limit: 5 });
    expect(listed.map(({ place }) => place.id)).toEqual([one.id]);
    expect(await list(newCaller(app), `${AROUND}&filter_by=12345`)).toEqual([]);
  });

  it('stores the newest one of a customer, also of an anonymous one', async () => {
    const app = newApp();
    const place = await desk.place(app.tenant, {});
    const caller = newCaller(app, { id: 'anon_9', anonymous: true });
    await list(caller, `${AROUND}&location[accuracy]=7`, NOW);
    await list(caller, 'location[latitude]=1&location[longitude]=2', NOW - 1);
    expect(await storedListing(caller)).toEqual({ ...CENTRE, accuracy: 7, at: NOW, places: [place.id] });
  });

  it('is answered for all numbers of the globe, and any accuracy', async () => {
    const caller = newCaller(newApp());
    const tiny = ['1e-200', '-1e-200', '5e-324', '1e-131', '-0', '1e-7'];
    for (const [n, latitude] of tiny.entries()) {
      const query = `location[latitude]=${latitude}&location[longitude]=${tiny.at(-1 - n)}`;
      expect([query, await list(caller, query, NOW + n)]).toEqual([query, []]);
      expect((await storedListing(caller))?.latitude).toBeCloseTo(Number(latitude), 12);
    }
    for (const [n, accuracy] of ['1e300', '1e126', '1e-131', '5e-324', '1e400', '0'].entries()) {
      await list(caller, `${AROUND}&location[accuracy]=${accuracy}`, NOW + 10 + n);
      expect((await storedListing(caller))?.at).toBe(NOW + 10 + n);
    }
  });
});

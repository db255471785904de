import { describe, expect, it } from 'vitest';
import type { Promotions } from '../../../functions/places/ad-units/promotions.ts';
import type { LastListing } from '../../../functions/places/check-in-rules/last-listing.ts';
import { NO_STANDING, type Standing } from '../../../functions/places/check-in-rules/standing.ts';
import { type ListedPlace, type ListingDeps, listPlaces } from '../../../functions/places/listing/list-places.ts';
import type { ListRequest } from '../../../functions/places/listing/list-request.ts';
import { type NearQuery, nearestOf } from '../../../functions/places/nearby/nearest-places.ts';
import type { TenantKey } from '../../../shared/ids.ts';
import type { AppSettings } from '../../../shared/loyalty/app.ts';
import { CENTRE, newApp, newCaller, northOf } from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

const place = (id: string, meters: number, own: Partial<ListedPlace> = {}): ListedPlace => ({
  id,
  venueId: 1,
  name: id,
  icon: '',
  address: '',
  city: '',
  state: '',
  ...northOf(CENTRE, meters),
  brand: '',
  points: 1,
  closed: false,
  ...own,
});

interface World {
  readonly places?: readonly ListedPlace[];
  /** Undefined for a customer of whom not all is read at once. */
  readonly whole?: Standing | undefined;
  readonly partial?: Standing;
  /** Creative id, and the places that it promotes. */
  readonly units?: ReadonlyMap<number, readonly string[]>;
}

/** Everything that a list needs, in memory; remembers what it was asked for. */
function world({ places = [], whole = NO_STANDING, units = new Map(), ...own }: World) {
  const partial = own.partial;
  const asked: {
    nearby: NearQuery<ListedPlace>[];
    byIds: string[][];
    at: string[][];
    listings: [TenantKey, LastListing][];
  } = {
    nearby: [],
    byIds: [],
    at: [],
    listings: [],
  };
  const promotions: Promotions = {
    hasUnit: (id) => units.has(id),
    creativeOf: (id) => [...units].find(([, ids]) => ids.includes(id))?.[0],
    placesOf: (creativeId) => new Set(units.get(creativeId)),
  };
  const deps: ListingDeps = {
    nearby: async (_, query) => {
      asked.nearby.push(query);
      return nearestOf(places, query);
    },
    byIds: async (_, ids, query) => {
      asked.byIds.push([...ids]);
      return nearestOf(
        places.filter(({ id }) => ids.includes(id)),
        query,
      );
    },
    promotions: async () => promotions,
    standings: {
      whole: async () => (partial ? undefined : whole),
      at: async (_, ids) => {
        asked.at.push([...ids]);
        return partial ?? NO_STANDING;
      },
    },
    keepListing: async (...call) => void asked.listings.push(call),
  };
  return { deps, asked };
}

const caller = (settings: Partial<AppSettings> = {}) => newCaller(newApp(settings));
const list = async (
  { deps }: ReturnType<typeof world>,
  request: Partial<ListRequest> = {},
  by: Parameters<typeof listPlaces>[1] = caller(),
) => listPlaces(deps, by, { ...CENTRE, ...request }, NOW);
const ids = (listed: Awaited<ReturnType<typeof list>>) => listed.map((one) => one.place.id);

describe('a list of places', () => {
  it('contains the nearest ones, and sorts those at one distance by their ids', async () => {
    const places = [place('c', 30), place('b', 10), place('a', 10), place('d', 20)];
    expect(ids(await list(world({ places })))).toEqual(['a', 'b', 'd', 'c']);
    expect(ids(await list(world({ places }), { limit: 2 }))).toEqual(['a', 'b']);
  });

  it('uses radius and limit of the request, or else of the app, up to 50 km and 100 places', async () => {
    const by = caller({ radiusMeters: 3_000, limit: 7 });
    const all = world({});
    await list(all, {}, by);
    await list(all, { radiusMeters: 10, limit: 1 }, by);
    await list(all, { radiusMeters: 50_000, limit: 100 }, by);
    await list(all, { radiusMeters: 50_001, limit: 101 }, by);
    await list(all, { radiusMeters: 1e21, limit: 1e21 }, by);
    expect(all.asked.nearby.map(({ radiusMeters, limit }) => [radiusMeters, limit])).toEqual([
      [3_000, 7],
      [10, 1],
      [50_000, 100],
      [50_000, 100],
      [50_000, 100],
    ]);
  });

  it('shows each place in the state by which a check-in is decided', async () => {
    const places = [
      place('free', 10, { brand: 'Other' }),
      place('far', 120),
      place('own-reach', 121, { acceptedDistanceMeters: 200 }),
      place('closed', 11, { closed: true }),
      place('recent', 12),
      place('recent-far', 130),
      place('over', 13),
      place('brand', 14, { brand: 'Acme' }),
      place('brand-far', 140, { brand: 'Acme' }),
    ];
    const whole = {
      nextAt: new Map([
        ['recent', NOW + 1],
        ['recent-far', NOW + 1],
        ['over', NOW],
      ]),
      dayCount: 3,
      brandCounts: new Map([['Acme', 1]]),
    };
    const by = caller({ checkInsPerBrandAndDay: 1, checkInsPerDay: 4 });
    const listed = await list(world({ places, whole }), {}, by);
    expect(Object.fromEntries(listed.map((one) => [one.place.id, [one.state, one.acceptedDistance]]))).toEqual({
      free: ['checkable', 100],
      far: ['toofar', 100],
      'own-reach': ['checkable', 200],
      closed: ['not_checkable', 100],
      recent: ['alreadycheckedin_checkable', 100],
      'recent-far': ['alreadycheckedin_toofar', 100],
      over: ['checkable', 100],
      brand: ['blocked_checkable', 100],
      'brand-far': ['blocked_toofar', 100],
    });
    const limited = await list(world({ places: [place('free', 10)], whole }), {}, caller({ checkInsPerDay: 3 }));
    expect(limited[0]?.state).toBe('blocked_limithit');
  });

  it('marks what an ad unit promotes', async () => {
    const places = [place('plain', 1), place('promoted', 2)];
    const listed = await list(world({ places, units: new Map([[7, ['promoted']]]) }));
    expect(listed.map(({ creativeId }) => creativeId)).toEqual([undefined, 7]);
  });

  it('of an ad unit contains its nearest places, limited only after all others are left out', async () => {
    const places = Array.from({ length: 30 }, (_, n) => place(`p${n + 10}`, n));
    const chosen = ['p39', 'p38', 'p12', 'far'];
    const all = [...places, place('far', 6_000)];
    const few = world({ places: all, units: new Map([[7, chosen]]) });
    expect(ids(await list(few, { filterBy: 7, limit: 2 }))).toEqual(['p12', 'p38']);
    expect(ids(await list(few, { filterBy: 7 }))).toEqual(['p12', 'p38', 'p39']);
    expect([few.asked.nearby.length, few.asked.byIds]).toEqual([0, [chosen, chosen]]);
    expect(await list(few, { filterBy: 8 })).toEqual([]);
  });

  it.each([
    [100, 'by their ids'],
    [101, 'from the index'],
  ])('of an ad unit with %i places reads them %s', async (count, how) => {
    const chosen = Array.from({ length: count }, (_, n) => `p${n}`);
    const places = [place('other', 1), place('p99', 2), place('p5', 3)];
    const units = new Map([[7, chosen]]);
    const all = world({ places, units });
    expect(ids(await list(all, { filterBy: 7, limit: 1 }))).toEqual(['p99']);
    expect(all.asked.byIds).toHaveLength(how === 'by their ids' ? 1 : 0);
    expect(all.asked.nearby).toHaveLength(how === 'by their ids' ? 0 : 1);
  });

  it('reads the standing at the listed places only, if a customer has too many check-ins for one read', async () => {
    const partial = { ...NO_STANDING, nextAt: new Map([['b', NOW + 1]]) };
    const busy = world({ places: [place('a', 1), place('b', 2)], partial });
    const listed = await list(busy);
    expect(listed.map(({ state }) => state)).toEqual(['checkable', 'alreadycheckedin_checkable']);
    expect(busy.asked.at).toEqual([['a', 'b']]);
    const usual = world({ places: [place('a', 1)] });
    await list(usual);
    expect(usual.asked.at).toEqual([]);
  });

  it('stores where the customer was and what it was shown, whatever that was', async () => {
    const by = caller();
    const all = world({ places: [place('a', 1), place('b', 2)] });
    await list(all, { accuracy: 9, limit: 1 }, by);
    await list(all, { latitude: 0, longitude: 0 }, by);
    const key = { tenant: by.app.tenant, id: by.customer.id };
    expect(all.asked.listings).toEqual([
      [key, { ...CENTRE, accuracy: 9, at: NOW, places: ['a'] }],
      [key, { latitude: 0, longitude: 0, at: NOW, places: [] }],
    ]);
  });

  it('without a customer shows only distances, and stores nothing', async () => {
    const busy = { nextAt: new Map([['a', NOW + 1]]), dayCount: 99, brandCounts: new Map() };
    const all = world({ places: [place('a', 1), place('b', 200), place('c', 3, { closed: true })], whole: busy });
    const listed = await list(all, {}, { app: caller().app });
    expect(listed.map(({ state }) => state)).toEqual(['checkable', 'not_checkable', 'toofar']);
    expect(all.asked).toMatchObject({ listings: [], at: [] });
  });

  it('is stored before it is answered: a list that cannot be stored fails', async () => {
    const { deps } = world({ places: [place('a', 1)] });
    const failing = { ...deps, keepListing: () => Promise.reject(new Error('not kept')) };
    await expect(listPlaces(failing, caller(), CENTRE, NOW)).rejects.toThrow('not kept');
  });

  it('is refused in an app without places, before anything is read', async () => {
    const all = world({});
    const denied = list(all, {}, caller({ placesEnabled: false }));
    await expect(denied).rejects.toMatchObject({ status: 200, code: 'access_denied' });
    expect(all.asked).toEqual({ nearby: [], byIds: [], at: [], listings: [] });
  });
});

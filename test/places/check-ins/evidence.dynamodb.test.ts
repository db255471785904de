import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../../../functions/places/catalog/place.ts';
import { placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { keepListing, listingIn, listingKey } from '../../../functions/places/check-in-rules/last-listings.dynamodb.ts';
import { standingStore } from '../../../functions/places/check-in-rules/standing-items.dynamodb.ts';
import { type CheckInDeps, checkInAt, presentCheckedIn } from '../../../functions/places/check-ins/check-in.ts';
import { distanceMeters } from '../../../functions/places/geo/distance.ts';
import { getItem } from '../../../shared/table/table.dynamodb.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';
import {
  type Caller,
  CENTRE,
  checkIn,
  keyOf,
  newApp,
  newCaller,
  northOf,
  openPlacesDesk,
  outcomeOf,
  type PlacesDesk,
} from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const MINUTE = 60_000;
const app = newApp({ acceptedDistanceMeters: 100, cooldownSeconds: 3_600 });

let desk: PlacesDesk;
let place: Place;
beforeAll(async () => {
  desk = await openPlacesDesk();
  place = await desk.place(app.tenant, { points: 5, brand: 'Acme' });
});
afterAll(() => desk.close());

let caller: Caller;
beforeEach(() => {
  caller = newCaller(app);
});

const MADE = { state: 'alreadycheckedin_checkable', nextAt: NOW + 3_600_000 };
const refused = (code: string) => ({ code });
const at = (now: number, where: Pick<Place, 'id' | 'venueId'> = place) => desk.checkIn({ caller, place: where, now });

/** Refused, with both tables exactly as they were. */
async function expectRefusal(code: string, work: () => Promise<unknown>): Promise<void> {
  const before = await desk.everything();
  expect(await work()).toEqual(refused(code));
  expect(await desk.everything()).toEqual(before);
}

describe('where a customer is', () => {
  it('is known by its last list alone: without one, data is missing', async () => {
    await expectRefusal('missing_data', () => at(NOW));
  });

  it('is known for ten minutes after the list, to the millisecond', async () => {
    await desk.stand(caller, CENTRE, NOW - 10 * MINUTE);
    await expectRefusal('missing_data', () => at(NOW + 1));
    expect(await at(NOW)).toEqual(MADE);
  });

  it('is not where another customer is, be it of the same name in another tenant', async () => {
    const stranger = newApp();
    await desk.place(stranger.tenant, { id: place.id });
    await desk.stand(newCaller(app), CENTRE, NOW);
    await desk.stand(newCaller(stranger, { id: caller.customer.id }), CENTRE, NOW);
    await expectRefusal('missing_data', () => at(NOW));
  });

  it('is the same for all apps of a tenant', async () => {
    const other = { ...caller, app: newApp({}, app.tenant) };
    await desk.stand(other, CENTRE, NOW);
    expect(await at(NOW)).toEqual(MADE);
  });

  it('decides by the distance, whether the place was in the list or not', async () => {
    await desk.stand(caller, northOf(CENTRE, 99.9), NOW, ['another-place']);
    expect(await at(NOW)).toEqual(MADE);
    const [entry] = (await desk.records(caller)).entries;
    expect(entry).toMatchObject({ details: { wasListed: false, distance: 100 } });
    caller = newCaller(app);
    await desk.stand(caller, northOf(CENTRE, 100.1), NOW, [place.id]);
    await expectRefusal('check_in_too_far_away', () => at(NOW));
  });

  it('is that of the newest list, and a late write of an older one changes nothing', async () => {
    await desk.stand(caller, CENTRE, NOW);
    await desk.stand(caller, northOf(CENTRE, 5_000), NOW - 1);
    expect(listingIn((await getItem(desk.places, listingKey(keyOf(caller))))!)).toMatchObject({ ...CENTRE, at: NOW });
    await desk.stand(caller, northOf(CENTRE, 5_000), NOW);
    await expectRefusal('check_in_too_far_away', () => at(NOW));
    const listing = { ...CENTRE, accuracy: 12.5, at: NOW + 1, places: ['a', 'b'] };
    await keepListing(desk.places, keyOf(caller), listing);
    const stored = (await getItem(desk.places, listingKey(keyOf(caller))))!;
    expect(listingIn(stored)).toEqual(listing);
    // Not before it is ten minutes old.
    expect(stored['ttl']).toBe((NOW + 10 * MINUTE) / 1_000 + 1);
  });

  it('is compared before it is rounded', async () => {
    const here = northOf(CENTRE, 100.4);
    expect(Math.round(distanceMeters(here, CENTRE))).toBe(100);
    await desk.stand(caller, here, NOW);
    expect(await at(NOW)).toEqual(refused('check_in_too_far_away'));
  });
});

describe('the place of a check-in', () => {
  beforeEach(() => desk.stand(caller, CENTRE, NOW));

  it('is where it is now: a place that moved is too far away, and one that came is near', async () => {
    const moving = await desk.place(app.tenant, {});
    await desk.place(app.tenant, { id: moving.id, ...northOf(CENTRE, 200) });
    await expectRefusal('check_in_too_far_away', () => at(NOW, moving));
    await desk.place(app.tenant, { id: moving.id, ...northOf(CENTRE, 199), acceptedDistanceMeters: 200 });
    expect(await at(NOW, moving)).toEqual(MADE);
  });

  it('takes none while it is closed', async () => {
    const closed = await desk.place(app.tenant, { closed: true });
    await expectRefusal('check_in_not_available', () => at(NOW, closed));
    await desk.place(app.tenant, { id: closed.id, closed: false });
    expect(await at(NOW, closed)).toEqual(MADE);
  });

  it('is not found once it is deleted, nor in another tenant, nor under a name that no place can have', async () => {
    const gone = await desk.place(app.tenant, {});
    await placeWrites(desk.places).remove(gone, '2026-02-01T00:00:00.000Z#removed');
    await expectRefusal('not_found', () => at(NOW, gone));
    const foreign = await desk.place(newApp().tenant, {});
    await expectRefusal('not_found', () => at(NOW, foreign));
    for (const id of ['unknown', 'x'.repeat(2_000), `${place.id}#`, '', 'a/b', '__proto__', 'é', ' ']) {
      await expectRefusal('not_found', () => at(NOW, { id, venueId: place.venueId }));
    }
  });

  it('is never looked up under a name that no place can have', async () => {
    const deps: CheckInDeps = {
      ...desk.deps,
      evidence: () => Promise.reject(new Error('looked up')),
    };
    for (const id of ['x'.repeat(65), 'a#b', 'a.b', '']) {
      const call = { caller, place: { id, venueId: 1 }, now: NOW };
      expect(await outcomeOf(checkIn(deps, call))).toEqual(refused('not_found'));
    }
  });

  it('must be the one of its venue id, and the one that the path names', async () => {
    const other = await desk.place(app.tenant, {});
    await expectRefusal('argument_error', () => at(NOW, { id: place.id, venueId: other.venueId }));
    const request = { placeId: other.id, venueId: place.venueId };
    await expectRefusal('argument_error', () =>
      outcomeOf(checkInAt(desk.deps, caller, { placeId: place.id, request }, NOW)),
    );
  });
});

describe('who checks in', () => {
  it('must be a customer, in an app that has places', async () => {
    await desk.stand(caller, CENTRE, NOW);
    const noCustomer = checkIn(desk.deps, { caller: { app }, place, now: NOW });
    await expect(noCustomer).rejects.toMatchObject({ status: 200, code: 'requires_registered_user' });
    const off = { ...caller, app: { ...app, placesEnabled: false } };
    const disabled = checkIn(desk.deps, { caller: off, place, now: NOW });
    await expect(disabled).rejects.toMatchObject({ status: 200, code: 'access_denied' });
    expect((await desk.records(caller)).standing).toEqual([]);
  });

  it('may be an anonymous customer', async () => {
    caller = newCaller(app, { id: 'anon_1', anonymous: true });
    await desk.stand(caller, CENTRE, NOW);
    expect(await at(NOW)).toEqual(MADE);
  });
});

describe('a check-in that is made', () => {
  it('is answered with the time of the next one, by the clock of the server', async () => {
    await desk.stand(caller, CENTRE, NOW);
    const made = await checkIn(desk.deps, { caller, place, now: NOW + 123 });
    expect(presentCheckedIn(made)).toEqual({
      place_id: place.id,
      state: 'alreadycheckedin_checkable',
      can_check_in_again_at: '2026-11-15T11:30:00.123Z',
    });
  });

  it('leaves a visit, the counts of the day and an entry of points with its evidence, and nothing else', async () => {
    caller = newCaller(app, { externalId: 'ext-7' });
    const here = northOf(CENTRE, 40.4);
    await keepListing(desk.places, keyOf(caller), { ...here, accuracy: 8, at: NOW - MINUTE, places: [place.id] });
    const creativeOf = async (tenant: string, id: string, now: number) =>
      tenant === app.tenant && id === place.id && now === NOW ? 77 : undefined;
    const { checkIn: made } = await checkIn({ ...desk.deps, creativeOf }, { caller, place, now: NOW });
    const { visits, days, entries, balance, standing, points } = await desk.records(caller);
    expect([standing.length, points.length]).toEqual([2, 2]);
    expect(visits).toEqual([
      {
        pk: `STANDING#${app.tenant}#${caller.customer.id}`,
        sk: `VISIT#${place.id}`,
        id: made.id,
        tenant: app.tenant,
        app: app.id,
        customer: caller.customer.id,
        externalId: 'ext-7',
        place: place.id,
        placeName: place.name,
        brand: 'Acme',
        points: 5,
        creativeId: 77,
        distance: 40,
        at: '2026-11-15T10:30:00.000Z',
        nextAt: NOW + 3_600_000,
        // A day longer than it decides anything.
        ttl: NOW / 1_000 + 3_600 + 86_400,
      },
    ]);
    // Where the customer was goes after 26 days, a few days earlier than it must, because expired items may stay for so long.
    const seen = { [`seen#${made.id}`]: `${here.latitude},${here.longitude},8` };
    const day = { sk: 'DAY#2026-11-15', count: 1, 'brand#Acme': 1, ...seen, ttl: NOW / 1_000 + 26 * 86_400 };
    expect(days).toEqual([expect.objectContaining(day)]);
    expect(entries).toEqual([
      {
        pk: `POINTS#${app.tenant}#${caller.customer.id}`,
        sk: `ENTRY#2026-11-15T10:30:00.000Z#${made.id}`,
        id: made.id,
        points: 5,
        source: 'check-in',
        at: '2026-11-15T10:30:00.000Z',
        list: `CHECK_INS#${app.tenant}#${place.id}`,
        position: `2026-11-15T10:30:00.000Z#${made.id}`,
        details: {
          app: app.id,
          place: place.id,
          listedAt: '2026-11-15T10:29:00.000Z',
          wasListed: true,
          distance: 40,
          creativeId: 77,
        },
      },
    ]);
    expect(balance).toMatchObject({ points: 5, entries: 1 });
  });

  it('leaves coordinates in the item of its day alone, which a list does not read on later days', async () => {
    const days = 40;
    for (let day = 0; day < days; day += 1) {
      const now = NOW + day * 86_400_000;
      await desk.stand(caller, { latitude: 52.520_123, longitude: 13.405_123 }, now);
      expect(await at(now)).toMatchObject({ state: 'alreadycheckedin_checkable' });
    }
    const { entries, visits, days: items } = await desk.records(caller);
    expect([entries.length, items.length]).toEqual([days, days]);
    expect(JSON.stringify([entries, visits])).not.toContain('.520123');
    expect(items.every((item) => JSON.stringify(item).includes('52.520123,13.405123'))).toBe(true);
    const reads: number[] = [];
    type Next = (args: unknown) => Promise<{ readonly output: { readonly Count?: number } }>;
    const counting = (next: Next) => async (args: unknown) => {
      const answer = await next(args);
      reads.push(answer.output.Count ?? 0);
      return answer;
    };
    const client = withMiddleware(desk.places.client, 'counting', counting);
    const now = NOW + (days - 1) * 86_400_000;
    const standing = await standingStore({ name: desk.places.name, client }).whole(keyOf(caller), now);
    expect([standing?.dayCount, standing?.nextAt.size, reads]).toEqual([1, 1, [2]]);
  });

  it('counts for the day of UTC that it is made on, to the millisecond', async () => {
    const midnight = Date.parse('2026-11-16T00:00:00.000Z');
    caller = { ...caller, app: { ...app, checkInsPerDay: 1, cooldownSeconds: 1 } };
    await desk.stand(caller, CENTRE, midnight - 1);
    expect(await at(midnight - 1_001)).toMatchObject({ state: 'alreadycheckedin_checkable' });
    const other = await desk.place(app.tenant, {});
    expect(await at(midnight - 1, other)).toEqual(refused('check_in_limit_reached'));
    expect(await at(midnight, other)).toMatchObject({ nextAt: midnight + 1_000 });
    expect(await at(midnight, place)).toEqual(refused('check_in_limit_reached'));
    const { days } = await desk.records(caller);
    expect(days.map(({ sk, count }) => [sk, count])).toEqual([
      ['DAY#2026-11-15', 1],
      ['DAY#2026-11-16', 1],
    ]);
  });

  it('counts for its brand only at places that have one, whatever the brand is called', async () => {
    caller = { ...caller, app: { ...app, checkInsPerBrandAndDay: 1 } };
    await desk.stand(caller, CENTRE, NOW);
    for (const brand of ['count', 'ttl', 'pk', '#a', ':b', 'Ä "x" \\ 💙', 'x'.repeat(100), '__proto__']) {
      const [first, second] = [await desk.place(app.tenant, { brand }), await desk.place(app.tenant, { brand })];
      expect([brand, await at(NOW, first)]).toEqual([brand, MADE]);
      expect([brand, await at(NOW, second)]).toEqual([brand, refused('check_in_not_available')]);
    }
    const plain = [await desk.place(app.tenant, {}), await desk.place(app.tenant, {})];
    for (const one of plain) expect(await at(NOW, one)).toEqual(MADE);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePlace, createPlace, deletePlace, placeById } from '../../../functions/places/catalog/manage-places.ts';
import { NewPlace, PlaceChange, PlaceReplacement } from '../../../functions/places/catalog/place-input.ts';
import { placeKey } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { placeStore, placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { versionOf } from '../../../functions/places/catalog/place-writes.ts';
import { positionOf } from '../../../functions/places/geo/cells.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { dynamoDbClient, getItem } from '../../../shared/table/table.dynamodb.ts';
import { losingFirst, losingProxy } from '../../support/faults/losing-proxy.ts';
import { openPlacesDesk, type PlacesDesk, placeInput } from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const BAKERY = { name: 'Bakery', latitude: 52.5, longitude: 13.4 };

let desk: PlacesDesk;
let store: ReturnType<typeof placeStore>;
let proxy: Awaited<ReturnType<typeof losingProxy>>;
let lossy: typeof store;
beforeAll(async () => {
  desk = await openPlacesDesk();
  store = placeStore(desk.places);
  proxy = await losingProxy(desk.clientOptions().endpoint);
  const client = dynamoDbClient({ ...desk.clientOptions(), endpoint: proxy.url, maxAttempts: 3 });
  lossy = placeStore({ name: desk.places.name, client });
});
afterAll(async () => {
  await proxy.close();
  await desk.close();
});

let ids = 0;
const newName = () => `n-${(ids += 1)}`;
const at = (tenant: string, now = NOW) => ({ tenant, now, newId: newName });
const create = (tenant: string, fields: object = {}, now = NOW) =>
  createPlace(store, NewPlace.parse({ ...BAKERY, ...fields }), at(tenant, now));
const patch = (tenant: string, id: string, change: object, now = NOW + 1_000) =>
  changePlace(store, PlaceChange.parse(change), { ...at(tenant, now), id });
const put = (tenant: string, id: string, fields: object, now = NOW + 1_000) =>
  changePlace(store, PlaceReplacement.parse(fields), { ...at(tenant, now), id });
const remove = (tenant: string, id: string, now = NOW + 2_000) => deletePlace(store, { ...at(tenant, now), id });
const missing = { status: 404, code: 'not-found' };
const taken = { status: 409, code: 'place-exists' };

describe('a new place', () => {
  it('is stored with its owner’s id or a generated one', async () => {
    const tenant = newId('t');
    const own = await create(tenant, { id: 'my-shop', acceptedDistanceMeters: 7 });
    const expected = { ...BAKERY, id: 'my-shop', tenant, points: 0, acceptedDistanceMeters: 7, closed: false };
    expect(own).toMatchObject({ ...expected, createdAt: isoTime(NOW), updatedAt: isoTime(NOW) });
    expect(await placeById(store, own)).toEqual(own);
    expect((await create(tenant)).id).toMatch(/^n-\d+$/);
    expect(await store.byIds(tenant, ['my-shop', 'other'])).toEqual([own]);
  });

  it('is refused an id that exists, and leaves the other place unchanged', async () => {
    const tenant = newId('t');
    const first = await create(tenant, { id: 'a' });
    await expect(create(tenant, { id: 'a', name: 'Other' }, NOW + 1)).rejects.toMatchObject(taken);
    expect(await placeById(store, first)).toEqual(first);
    const others = await Promise.all(['b', 'c', 'd'].map((id) => create(tenant, { id })));
    expect(new Set([first, ...others].map(({ venueId }) => venueId)).size).toBe(4);
  });

  it('may have the id of a deleted one, and starts anew', async () => {
    const tenant = newId('t');
    const first = await create(tenant, { id: 'a', acceptedDistanceMeters: 7 });
    await remove(tenant, 'a');
    const second = await create(tenant, { id: 'a', name: 'Second' }, NOW + 5_000);
    expect(second).toMatchObject({ name: 'Second', createdAt: isoTime(NOW + 5_000), venueId: expect.any(Number) });
    expect(second.venueId).not.toBe(first.venueId);
    expect(second.acceptedDistanceMeters).toBeUndefined();
    const item = await getItem(desk.places, placeKey(second));
    expect([item?.['deleted'], item?.['ttl']]).toEqual([undefined, undefined]);
  });

  it('is stored once when many callers use one id at the same time', async () => {
    const tenant = newId('t');
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => create(tenant, { id: 'a', name: `${n}` })),
    );
    const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(made).toHaveLength(1);
    expect(await placeById(store, { tenant, id: 'a' })).toEqual(made[0]);
  });

  it('is created, whether or not the answer to the first attempt was lost', async () => {
    const tenant = newId('t');
    proxy.state.loses = losingFirst('UpdateItem', 'answer', 'call');
    const made = await createPlace(lossy, NewPlace.parse({ ...BAKERY, id: 'a' }), at(tenant));
    expect(await placeById(store, made)).toEqual(made);
  });
});

describe('a change of a place', () => {
  it('by PATCH changes the members in the body, and keeps the creation time', async () => {
    const tenant = newId('t');
    const { id, venueId } = await create(tenant, { points: 5, brand: 'Acme', acceptedDistanceMeters: 7 });
    expect(await patch(tenant, id, { closed: true, name: ' Shop ' })).toMatchObject({
      name: 'Shop',
      closed: true,
      points: 5,
      brand: 'Acme',
      acceptedDistanceMeters: 7,
      venueId,
      createdAt: isoTime(NOW),
      updatedAt: isoTime(NOW + 1_000),
    });
    expect((await patch(tenant, id, { acceptedDistanceMeters: null })).acceptedDistanceMeters).toBeUndefined();
    expect((await placeById(store, { tenant, id })).acceptedDistanceMeters).toBeUndefined();
    expect((await patch(tenant, id, { acceptedDistanceMeters: 9 })).acceptedDistanceMeters).toBe(9);
  });

  it('by PUT replaces all but its creation time and its ids', async () => {
    const tenant = newId('t');
    const { id, venueId } = await create(tenant, { points: 5, brand: 'Acme', acceptedDistanceMeters: 7, closed: true });
    const replaced = await put(tenant, id, { ...BAKERY, name: 'Other' });
    expect(replaced).toMatchObject({ id, venueId, name: 'Other', points: 0, brand: '', closed: false });
    expect(replaced).toMatchObject({ createdAt: isoTime(NOW), updatedAt: isoTime(NOW + 1_000) });
    expect(replaced.acceptedDistanceMeters).toBeUndefined();
  });

  it('moves it in the index', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    await patch(tenant, id, { latitude: -33.9 });
    const { cell, leaf } = positionOf({ latitude: -33.9, longitude: 13.4 });
    const item = await getItem(desk.places, placeKey({ tenant, id }));
    expect(item).toMatchObject({ cell: `CELL#${tenant}#${cell}`, leaf: `${leaf}#${id}`, list: `PLACES#${tenant}` });
    expect(item?.['position']).toBe(`${isoTime(NOW)}#${id}`);
  });

  it('does not lose many others at the same time', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    const changes = [
      { name: 'New' },
      { address: 'Street 1' },
      { city: 'Berlin' },
      { brand: 'Acme' },
      { points: 3 },
      { closed: true },
      { latitude: 1 },
      { longitude: 2 },
    ];
    await Promise.all(changes.map((change) => patch(tenant, id, change)));
    expect(await placeById(store, { tenant, id })).toMatchObject(Object.assign({}, ...changes));
  });

  it('does not lose others at the same time if the clock is behind', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant, {}, NOW + 60_000);
    const changes = [{ name: 'New' }, { city: 'Berlin' }, { points: 3 }, { brand: 'Acme' }, { address: 'Street 1' }];
    await Promise.all(changes.map((change) => patch(tenant, id, change)));
    expect(await placeById(store, { tenant, id })).toMatchObject(Object.assign({}, ...changes));
  });

  it('is stored even if its answer was lost', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    proxy.state.loses = losingFirst('UpdateItem', 'answer');
    const changed = await changePlace(lossy, { points: 9 }, { ...at(tenant, NOW + 1), id });
    expect(changed.points).toBe(9);
    expect(await placeById(store, { tenant, id })).toEqual(changed);
  });

  it('is refused for a place that does not exist or was deleted', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    await expect(patch(newId('t'), id, { name: 'x' })).rejects.toMatchObject(missing);
    await remove(tenant, id);
    await expect(patch(tenant, id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(put(tenant, id, BAKERY)).rejects.toMatchObject(missing);
    expect(await store.byIds(tenant, [id])).toEqual([]);
  });

  it('is kept if the server’s clock is behind an import whose writes are repeated', async () => {
    const tenant = newId('t');
    const imported = placeInput(tenant, { ...BAKERY, id: 'a' });
    const version = versionOf(isoTime(NOW + 3_600_000), 'import');
    const writes = placeWrites(desk.places);
    await writes.store(imported, version);
    await patch(tenant, 'a', { name: 'By hand' });
    await writes.store(imported, version);
    expect(await placeById(store, { tenant, id: 'a' })).toMatchObject({ name: 'By hand' });
    await remove(tenant, 'a');
    await writes.store(imported, version);
    await expect(placeById(store, { tenant, id: 'a' })).rejects.toMatchObject(missing);
    await writes.store(imported, versionOf(isoTime(NOW + 7_200_000), 'import'));
    expect(await placeById(store, { tenant, id: 'a' })).toMatchObject(BAKERY);
  });

  it('that arrives during a deletion does not restore the place', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    const existing = await store.byId({ tenant, id });
    await remove(tenant, id);
    const versions = { version: `${isoTime(NOW + 9_000)}#x`, after: existing!.version };
    expect(await store.change(placeInput(tenant, { id }), versions)).toBeUndefined();
    expect(await store.byId({ tenant, id })).toBeUndefined();
  });
});

describe('a deleted place', () => {
  it('is found nowhere, and leaves its version for thirty days', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    await remove(tenant, id, NOW + 2_500);
    await expect(placeById(store, { tenant, id })).rejects.toMatchObject(missing);
    expect(await store.byIds(tenant, [id])).toEqual([]);
    expect((await store.list(tenant, { limit: 10 })).items).toEqual([]);
    const { version, ...item } = (await getItem(desk.places, placeKey({ tenant, id })))!;
    expect(version).toMatch(/^2026-11-15T10:30:02\.500Z#n-/);
    expect(item).toEqual({ ...placeKey({ tenant, id }), deleted: true, ttl: NOW / 1_000 + 2 + 30 * 86_400 });
  });

  it('cannot be deleted again, nor can one that never existed or belongs to another tenant', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    await expect(remove(newId('t'), id)).rejects.toMatchObject(missing);
    await expect(remove(tenant, 'unknown')).rejects.toMatchObject(missing);
    await remove(tenant, id);
    await expect(remove(tenant, id)).rejects.toMatchObject(missing);
    expect(await getItem(desk.places, placeKey({ tenant, id: 'unknown' }))).toBeUndefined();
  });

  it('counts as deleted, whether or not the answer to the first attempt was lost', async () => {
    const tenant = newId('t');
    const { id } = await create(tenant);
    proxy.state.loses = losingFirst('PutItem', 'answer', 'call');
    await deletePlace(lossy, { ...at(tenant), id });
    expect(await store.byId({ tenant, id })).toBeUndefined();
  });
});

describe('the places of a tenant', () => {
  it('are listed newest first, page by page, without those of other tenants', async () => {
    const tenant = newId('t');
    await create(newId('t'));
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await create(tenant, {}, NOW + n));
    await patch(tenant, made[0]!.id, { name: 'Changed' }, NOW + 100);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list(tenant, { limit: 2, cursor });
      expect(page.items.length).toBeLessThanOrEqual(2);
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(ids).toEqual(made.map(({ id }) => id).toReversed());
    const { nextCursor = '' } = await store.list(tenant, { limit: 2 });
    const foreign = store.list(newId('t'), { limit: 2, cursor: nextCursor });
    await expect(foreign).rejects.toMatchObject({ status: 400, code: 'invalid-cursor' });
  });

  it('are found by words of their names, in any case, with or without accents', async () => {
    const tenant = newId('t');
    await create(newId('t'), { name: 'Café Central' });
    const names = ['Café Central', 'CENTRAL STATION', 'Cafe Nord', 'Öl & Café, Centraal'];
    for (const [n, name] of names.entries()) await create(tenant, { name }, NOW + n);
    const named = async (name: string) => (await store.named(tenant, name, { limit: 10 })).items.map((one) => one.name);
    expect(await named('cafe central')).toEqual(['Café Central']);
    expect(await named('CENTRAL')).toEqual(['CENTRAL STATION', 'Café Central']);
    expect(await named('café')).toEqual(['Öl & Café, Centraal', 'Cafe Nord', 'Café Central']);
    expect(await named('ol')).toEqual(['Öl & Café, Centraal']);
    expect(await named('south')).toEqual([]);
  });
});

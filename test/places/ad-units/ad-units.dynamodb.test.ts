import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AdUnitChange, AdUnitFields, isActive } from '../../../functions/places/ad-units/ad-unit.ts';
import { adUnitDeps, adUnitStore, adUnitsOf } from '../../../functions/places/ad-units/ad-unit-store.dynamodb.ts';
import { cachedPromotions } from '../../../functions/places/ad-units/cached-promotions.dynamodb.ts';
import {
  adUnitById,
  changeAdUnit,
  createAdUnit,
  deleteAdUnit,
} from '../../../functions/places/ad-units/manage-ad-units.ts';
import { placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const iso = (at: number) => new Date(at).toISOString();

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

const deps = () => adUnitDeps(desk.places);
const create = (tenant: string, fields: object, now = NOW) =>
  createAdUnit(deps(), AdUnitFields.parse({ name: 'Summer', ...fields }), {
    tenant,
    now,
    id: newId('adu'),
  });
const change = (tenant: string, id: string, fields: object) =>
  changeAdUnit(deps(), AdUnitChange.parse(fields), { tenant, id, now: NOW + 1_000 });
const missing = { status: 404, code: 'not-found' };

/** A tenant with these places. */
async function tenantWith(...ids: string[]): Promise<string> {
  const tenant = newId('t');
  for (const id of ids) await desk.place(tenant, { id });
  return tenant;
}

describe('a new ad unit', () => {
  it('is stored as its owner defined it', async () => {
    const tenant = await tenantWith('a', 'b');
    const unit = await create(tenant, { placeIds: ['a', 'b'], startsAt: iso(NOW), endsAt: iso(NOW + 1) });
    expect(unit).toMatchObject({ tenant, revision: 1, placeIds: ['a', 'b'], createdAt: iso(NOW), updatedAt: iso(NOW) });
    expect(await adUnitById(deps().units, unit)).toEqual(unit);
    expect(await adUnitsOf(desk.places, tenant)).toEqual([unit]);
  });

  it('must name places of its tenant, and is refused with those that do not exist', async () => {
    const tenant = await tenantWith('a', 'gone');
    await placeWrites(desk.places).remove({ tenant, id: 'gone' }, `${iso(NOW)}#x`);
    await tenantWith('foreign');
    const refusal = (placeIds: string[]) => create(tenant, { placeIds }).catch((error: unknown) => error);
    expect(await refusal(['a', 'gone', 'foreign'])).toMatchObject({
      status: 400,
      code: 'unknown-place',
      detail: 'placeIds: There is no place gone, foreign',
    });
    expect(await refusal(['u1', 'u2', 'u3', 'u4', 'u5', 'a'])).toMatchObject({
      detail: 'placeIds: There is no place u1, u2, u3, u4, u5',
    });
    expect(await refusal(['u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7'])).toMatchObject({
      detail: 'placeIds: There is no place u1, u2, u3, u4, u5 and 2 more',
    });
    expect(await adUnitsOf(desk.places, tenant)).toEqual([]);
  });

  it('ends after it starts', async () => {
    const tenant = await tenantWith('a');
    for (const [startsAt, endsAt] of [
      [NOW, NOW],
      [NOW, NOW - 1],
    ] as const) {
      const created = create(tenant, { placeIds: ['a'], startsAt: iso(startsAt), endsAt: iso(endsAt) });
      await expect(created).rejects.toMatchObject({ status: 400, code: 'invalid-input' });
    }
  });

  it('may end after the year 9999, so that it never ends', async () => {
    const tenant = await tenantWith('a');
    const times = { startsAt: iso(NOW), endsAt: '9999-12-31T23:59:59-05:00' };
    const unit = await create(tenant, { placeIds: ['a'], ...times });
    expect(isActive(unit, NOW)).toBe(true);
    const turned = create(tenant, { placeIds: ['a'], startsAt: times.endsAt, endsAt: times.startsAt });
    await expect(turned).rejects.toMatchObject({ status: 400, code: 'invalid-input' });
  });

  it('may be the hundredth, and is refused after that', async () => {
    const tenant = await tenantWith('a');
    const counted = { ...deps(), count: async () => 99 };
    const key = () => ({ tenant, id: newId('adu'), now: NOW });
    const fields = AdUnitFields.parse({ name: 'x', placeIds: ['a'] });
    await createAdUnit(counted, fields, key());
    const full = createAdUnit({ ...counted, count: async () => 100 }, fields, key());
    await expect(full).rejects.toMatchObject({ status: 409, code: 'too-many-ad-units' });
  });
});

describe('a change of an ad unit', () => {
  it('keeps the fields that it omits, and checks times and places of the result', async () => {
    const tenant = await tenantWith('a', 'b');
    const unit = await create(tenant, { placeIds: ['a'], startsAt: iso(NOW) });
    const changed = await change(tenant, unit.id, { placeIds: ['b'] });
    expect(changed).toEqual({ ...unit, placeIds: ['b'], revision: 2, updatedAt: iso(NOW + 1_000) });
    expect(await adUnitById(deps().units, unit)).toEqual(changed);
    await expect(change(tenant, unit.id, { endsAt: iso(NOW) })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(change(tenant, unit.id, { placeIds: ['u'] })).rejects.toMatchObject({ code: 'unknown-place' });
    expect(await adUnitById(deps().units, unit)).toEqual(changed);
    await change(tenant, unit.id, { startsAt: null, endsAt: iso(NOW) });
  });

  it('does not lose other changes at the same time', async () => {
    const tenant = await tenantWith('a', 'b');
    const { id } = await create(tenant, { placeIds: ['a'] });
    const changes = [{ name: 'New' }, { placeIds: ['a', 'b'] }, { startsAt: iso(NOW) }, { endsAt: iso(NOW + 5) }];
    await Promise.all(changes.map((one) => change(tenant, id, one)));
    const expected = Object.assign({ revision: 5 }, ...changes);
    expect(await adUnitById(deps().units, { tenant, id })).toMatchObject(expected);
  });

  it('does not affect a unit that was deleted or belongs to another tenant', async () => {
    const tenant = await tenantWith('a');
    const unit = await create(tenant, { placeIds: ['a'] });
    const other = await tenantWith('a');
    await expect(change(other, unit.id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(deleteAdUnit(deps().units, { tenant: other, id: unit.id })).rejects.toMatchObject(missing);
    await deleteAdUnit(deps().units, unit);
    await expect(deleteAdUnit(deps().units, unit)).rejects.toMatchObject(missing);
    await expect(change(tenant, unit.id, { name: 'x' })).rejects.toMatchObject(missing);
    expect(await adUnitStore(desk.places).change({ ...unit, revision: 2 }, unit)).toBe(false);
    expect(await adUnitsOf(desk.places, tenant)).toEqual([]);
  });
});

describe('the ad units of a tenant', () => {
  it('are listed newest first, all of them, however many pages they take', async () => {
    const tenant = await tenantWith('a');
    await create(await tenantWith('a'), { placeIds: ['a'] });
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await create(tenant, { placeIds: ['a'] }, NOW + n));
    const ids = made.map(({ id }) => id).toReversed();
    expect((await adUnitsOf(desk.places, tenant)).map(({ id }) => id)).toEqual(ids);
    const first = await adUnitStore(desk.places).list(tenant, { limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const rest = await adUnitStore(desk.places).list(tenant, { limit: 3, cursor: first.nextCursor });
    expect([rest.items.map(({ id }) => id), rest.nextCursor]).toEqual([ids.slice(3), undefined]);
  });

  it('that fill more than a page of the table are all read', async () => {
    const tenant = newId('t');
    const placeIds = Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(64, 'x'));
    const times = { startsAt: null, endsAt: null, createdAt: iso(NOW), updatedAt: iso(NOW) };
    const store = adUnitStore(desk.places);
    for (let n = 0; n < 20; n += 1) {
      await store.add({ tenant, id: `adu_${n}`, creativeId: n, revision: 1, name: 'x', placeIds, ...times });
    }
    expect(await adUnitsOf(desk.places, tenant)).toHaveLength(20);
  });
});

describe('promotions in the cache', () => {
  it('are read at most every ten seconds per tenant', async () => {
    const [tenant, other] = [await tenantWith('a'), await tenantWith('a')];
    const mortality = new Mortality();
    const promotions = cachedPromotions({ name: desk.places.name, client: mortality.bind(desk.places.client) });
    const creative = async (of: string, now: number) => (await promotions(of, now)).creativeOf('a');
    expect(await creative(tenant, NOW)).toBeUndefined();
    const { creativeId, id } = await create(tenant, { placeIds: ['a'] });
    expect([await creative(tenant, NOW + 9_999), await creative(tenant, NOW)]).toEqual([undefined, undefined]);
    expect(mortality.calls).toBe(1);
    expect(await creative(tenant, NOW + 10_000)).toBe(creativeId);
    expect(await creative(other, NOW + 10_000)).toBeUndefined();
    expect(mortality.calls).toBe(3);
    await deleteAdUnit(deps().units, { tenant, id });
    expect(await creative(tenant, NOW + 19_999)).toBe(creativeId);
    expect(await creative(tenant, NOW + 20_000)).toBeUndefined();
  });

  it('start and end within ten seconds without a change', async () => {
    const tenant = await tenantWith('a');
    const times = { startsAt: iso(NOW + 1_000), endsAt: iso(NOW + 30_000) };
    const { creativeId } = await create(tenant, { placeIds: ['a'], ...times });
    const promotions = cachedPromotions(desk.places);
    const seen = [];
    for (const seconds of [0, 10, 20, 29, 30]) {
      seen.push((await promotions(tenant, NOW + seconds * 1_000)).creativeOf('a'));
    }
    expect(seen).toEqual([undefined, creativeId, creativeId, creativeId, undefined]);
  });
});

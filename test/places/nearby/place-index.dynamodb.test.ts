import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { covering } from '../../../functions/places/geo/cells.ts';
import { keysOf } from '../../../functions/places/nearby/index-range.ts';
import { nearby } from '../../../functions/places/nearby/nearby.ts';
import { placeIndex } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createPlacesTable } from '../../support/cloud/local-table.ts';
import { MemoryPlaceIndex } from '../../support/places/memory-place-index.ts';
import { bruteForce, pointAt, randomFrom } from '../../support/places/place-clouds.ts';

const CENTRE = { latitude: -36.85, longitude: 179.999 };
const VERSION = '2026-11-01T00:00:00.000Z#test';

const random = randomFrom(11);
const places = Array.from({ length: 600 }, (_, i) => ({
  id: `p${i}`,
  ...pointAt(CENTRE, 4_000 * random() ** 2, random() * 2 * Math.PI),
}));
const fields = { name: 'A place', icon: '', address: '', city: '', state: '', brand: '', points: 1, closed: false };

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createPlacesTable(endpoint, 'places');
  const writes = placeWrites(table);
  for (let from = 0; from < places.length; from += 50) {
    const some = places.slice(from, from + 50);
    await Promise.all(some.map((place) => writes.store({ ...fields, ...place, tenant: 'acme' }, VERSION)));
  }
});
afterAll(() => endpoint?.close());

describe('the index of places in the table', () => {
  it('reads like the one in memory, forwards, backwards and in pages', async () => {
    const [ours, memory] = [placeIndex(table, 'acme'), new MemoryPlaceIndex(places)];
    for (const range of covering(CENTRE, 2_000, 5).map(keysOf)) {
      for (const reading of [{ limit: 7 }, { limit: 7, backwards: true }, { limit: 1_000 }]) {
        const [got, expected] = await Promise.all([ours.read(range, reading), memory.read(range, reading)]);
        expect(got.places.map(({ id }) => id)).toEqual(expected.places.map(({ id }) => id));
        if (got.readTo !== undefined) expect(got.readTo).toBe(expected.readTo);
      }
    }
  });

  it('has nothing in a range that ends before it begins', async () => {
    expect(await placeIndex(table, 'acme').read({ cell: '1', from: 'b', to: 'a' }, { limit: 5 })).toEqual({
      places: [],
    });
  });

  it('finds the nearest places, over the antimeridian too, and all that a list shows of them', async () => {
    for (let n = 0; n < 40; n += 1) {
      const centre = pointAt(CENTRE, 4_000 * random(), random() * 2 * Math.PI);
      const query = { centre, radiusMeters: 50 + 3_000 * random(), limit: 1 + Math.floor(random() * 30) };
      const near = await nearby(placeIndex(table, 'acme'), query);
      expect(near.map(({ place }) => place.id)).toEqual(bruteForce(places, query).map(({ place }) => place.id));
      for (const { place } of near) expect(place).toMatchObject(fields);
    }
  });

  it('holds no place of another tenant, and none that was deleted or has moved away', async () => {
    const query = { centre: CENTRE, radiusMeters: 10, limit: 5 };
    const result = async (tenant: string) =>
      (await nearby(placeIndex(table, tenant), query)).map(({ place }) => place.id);
    const writes = placeWrites(table);
    const place = { ...fields, ...CENTRE, id: 'moving', tenant: 'other' };
    await writes.store(place, VERSION);
    expect(await result('acme')).not.toContain('moving');
    expect(await result('other')).toEqual(['moving']);
    await writes.store({ ...place, latitude: 10 }, `${VERSION}2`);
    expect(await result('other')).toEqual([]);
    await writes.store(place, `${VERSION}3`);
    expect(await result('other')).toEqual(['moving']);
    await writes.remove(place, `${VERSION}4`);
    expect(await result('other')).toEqual([]);
  });
});

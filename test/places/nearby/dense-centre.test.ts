import { beforeAll, describe, expect, it } from 'vitest';
import { positionOf } from '../../../functions/places/geo/cells.ts';
import type { Point } from '../../../functions/places/geo/distance.ts';
import { nearby, type PlaceIndex } from '../../../functions/places/nearby/nearby.ts';
import { marshalled } from '../../../shared/table/table.dynamodb.ts';
import { itemBytes } from '../../bench/costs/dynamodb-units.ts';
import { GeneratedPlaces, idOf, inDenseCentre } from '../../bench/places/generated-places.ts';
import { Random } from '../../bench/records/generated-businesses.ts';
import { MemoryPlaceIndex, type PlacePoint } from '../../support/places/memory-place-index.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const CENTRES = isThorough ? 300 : 100;
const LIMIT = 20;
const READ_BYTES = 4_096;

/** 20,000 within 1 km, and 40,000 in towns and the country around. */
const places = new GeneratedPlaces(60_000);
let index: MemoryPlaceIndex<PlacePoint>;
beforeAll(() => {
  index = new MemoryPlaceIndex(
    Array.from({ length: places.count }, (_, n) => ({ ...places.position(n), id: idOf(n) })),
  );
});

/** What the index of the table holds of a place, on average. */
const itemBytesMean = (() => {
  const sizes = Array.from({ length: 100 }, (_, n) => {
    const place = places.place(n);
    const { cell, leaf } = positionOf(place);
    const keys = { pk: `PLACE#${place.tenant}#${place.id}`, sk: 'PLACE', cell: `CELL#${place.tenant}#${cell}` };
    return itemBytes(marshalled({ ...place, ...keys, leaf: `${leaf}#${place.id}`, venueId: 4_503_599_627_370_495 }));
  });
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
})();

interface Reads {
  readonly calls: number;
  readonly items: number;
  /** Read units, eventually consistent. */
  readonly units: number;
  readonly results: number;
}

async function listed(centre: Point, radiusMeters: number): Promise<Reads> {
  let [calls, items, units] = [0, 0, 0];
  const counted: PlaceIndex<PlacePoint> = {
    async read(range, reading) {
      const read = await index.read(range, reading);
      calls += 1;
      items += read.places.length;
      units += Math.max(1, Math.ceil((read.places.length * itemBytesMean) / READ_BYTES)) / 2;
      return read;
    },
  };
  const near = await nearby(counted, { centre, radiusMeters, limit: LIMIT });
  return { calls, items, units, results: near.length };
}

async function listings(at: (random: Random) => Point, radiusMeters: number): Promise<Reads[]> {
  const random = new Random(3);
  const all: Reads[] = [];
  for (let n = 0; n < CENTRES; n += 1) all.push(await listed(at(random), radiusMeters));
  return all;
}

const mean = (all: readonly Reads[], figure: keyof Reads) =>
  all.reduce((sum, reads) => sum + reads[figure], 0) / all.length;
const most = (all: readonly Reads[], figure: keyof Reads) => Math.max(...all.map((reads) => reads[figure]));

describe('a listing in a city centre of 20,000 places within 1 km', () => {
  it.each([500, 5_000, 50_000])(
    'reads at most 400 places in at most 8 calls, with a radius of %i m',
    async (radius) => {
      const city = await listings(inDenseCentre, radius);
      expect(Math.min(...city.map(({ results }) => results))).toBe(LIMIT);
      expect(most(city, 'items')).toBeLessThanOrEqual(400);
      expect(most(city, 'calls')).toBeLessThanOrEqual(8);
    },
  );

  it('takes less than three times the calls of one in the country, where hardly anything is found', async () => {
    const [city, country] = [await listings(inDenseCentre, 5_000), await listings((r) => places.traveller(r), 5_000)];
    expect(mean(country, 'results')).toBeLessThan(LIMIT / 2);
    expect(mean(city, 'calls')).toBeLessThan(3 * mean(country, 'calls'));
  });

  it('takes less than three times the read units of one in the country that finds as many', async () => {
    const [city, country] = [await listings(inDenseCentre, 50_000), await listings((r) => places.traveller(r), 50_000)];
    const full = country.filter(({ results }) => results === LIMIT);
    expect(full.length).toBeGreaterThan(CENTRES / 2);
    expect(mean(city, 'units')).toBeLessThan(3 * mean(full, 'units'));
  });
});

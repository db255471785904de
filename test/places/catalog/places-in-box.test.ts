import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlacesQuery, placesInBox } from '../../../functions/places/catalog/places-in-box.ts';
import { type Box, coveringBox, positionOf } from '../../../functions/places/geo/cells.ts';
import type { Point } from '../../../functions/places/geo/distance.ts';
import type { PlaceIndex } from '../../../functions/places/nearby/nearby.ts';
import { placeIndex } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { MemoryPlaceIndex, type PlacePoint } from '../../support/places/memory-place-index.ts';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';

/** All pages, and how many there were. */
async function all(index: PlaceIndex<PlacePoint>, box: Box, limit: number) {
  const ids: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await placesInBox(index, box, { limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items);
    cursor = page.nextCursor;
    pages += 1;
    if (pages > 1_000) throw new Error('The pages do not end.');
  } while (cursor !== undefined);
  return { ids, pages };
}

const brute = (places: readonly PlacePoint[], { west, south, east, north }: Box) =>
  places
    .filter(({ latitude, longitude }) => {
      const crosses = west > east;
      const isBetween = crosses ? longitude >= west || longitude <= east : longitude >= west && longitude <= east;
      return latitude >= south && latitude <= north && isBetween;
    })
    .map(({ id }) => id);

const named = (points: readonly Point[]): PlacePoint[] => points.map((point, n) => ({ ...point, id: `p${n}` }));

const AREAS: Readonly<Record<string, { box: Box; spread: number }>> = {
  'a city': { box: { west: 13.3, south: 52.4, east: 13.6, north: 52.6 }, spread: 0.3 },
  'the equator and the prime meridian': { box: { west: -1, south: -1, east: 1, north: 1 }, spread: 1.5 },
  'the antimeridian': { box: { west: 179, south: -1, east: -179, north: 1 }, spread: 1.5 },
  'the antimeridian, up to it': { box: { west: 179, south: -1, east: 180, north: 1 }, spread: 1.5 },
  'the antimeridian, from it': { box: { west: -180, south: -1, east: -179, north: 1 }, spread: 1.5 },
  'the north pole': { box: { west: -180, south: 89, east: 180, north: 90 }, spread: 1.5 },
  'the south pole, half of it': { box: { west: 0, south: -90, east: 180, north: -89 }, spread: 1.5 },
  'a single point': { box: { west: 7, south: 7, east: 7, north: 7 }, spread: 0.001 },
};

const longitudeOf = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

describe('the places in a box', () => {
  it.each(Object.entries(AREAS))('around %s are those that comparing every place gives', async (_, { box, spread }) => {
    const middle = {
      latitude: (box.south + box.north) / 2,
      longitude: box.west > box.east ? 180 : (box.west + box.east) / 2,
    };
    const around = fc.record({
      latitude: fc
        .double({ min: -spread, max: spread, noNaN: true })
        .map((by) => Math.max(-90, Math.min(90, middle.latitude + by))),
      longitude: fc.oneof(
        fc.double({ min: -spread, max: spread, noNaN: true }).map((by) => longitudeOf(middle.longitude + by)),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.constantFrom(180, -180, box.west, box.east),
      ),
    });
    const corners = [box.west, box.east].flatMap((longitude) =>
      [box.south, box.north].map((latitude) => ({ latitude, longitude })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(around, { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), async (points, limit) => {
        const places = named([...points, ...corners]);
        const { ids } = await all(new MemoryPlaceIndex(places), box, limit);
        expect(ids.toSorted()).toEqual(brute(places, box).toSorted());
      }),
      { numRuns: 25 },
    );
  });

  it('of any shape are those that comparing every place gives, once each', async () => {
    const degrees = (most: number) => fc.integer({ min: -most * 1e6, max: most * 1e6 }).map((micros) => micros / 1e6);
    const point = fc.record({ latitude: degrees(90), longitude: degrees(180) });
    const box = fc.tuple(point, degrees(1.5), degrees(1.5)).map(([{ latitude, longitude }, height, width]) => ({
      west: longitude,
      south: latitude,
      east: longitudeOf(longitude + width + 1.5),
      north: Math.min(90, latitude + height + 1.5),
    }));
    await fc.assert(
      fc.asyncProperty(box, fc.array(point, { maxLength: 20 }), async (one, points) => {
        const inside = points.map(({ latitude, longitude }) => ({
          latitude: one.south + ((latitude + 90) / 180) * (one.north - one.south),
          longitude: longitudeOf(one.west + ((longitude + 180) / 360) * 3.1),
        }));
        const places = named([...points, ...inside]);
        const { ids } = await all(new MemoryPlaceIndex(places), one, 7);
        expect(ids.toSorted()).toEqual(brute(places, one).toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it('of a continent come in pages that read few ranges each, and are finite', async () => {
    const points = Array.from({ length: 60 }, (_, n) => ({
      latitude: -19.5 + n * 0.65,
      longitude: 1.4 * ((n * 7) % 29),
    }));
    const places = named([...points, { latitude: 20.1, longitude: 1 }, { latitude: 1, longitude: -0.1 }]);
    const index = new MemoryPlaceIndex(places);
    const { ids, pages } = await all(index, { west: 0, south: -20, east: 40, north: 20 }, 100);
    expect(ids.toSorted()).toEqual(
      named(points)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(index.reads / pages).toBeLessThanOrEqual(60);
    expect(pages).toBeGreaterThan(2);
  });

  it('of the whole globe are all places', async () => {
    const places = named([
      { latitude: 90, longitude: 0 },
      { latitude: -90, longitude: 77 },
      { latitude: 0, longitude: 180 },
      { latitude: 0, longitude: -180 },
      { latitude: 0, longitude: 0 },
    ]);
    const cells = new Set(coveringBox({ west: -180, south: -90, east: 180, north: 90 }).map(({ cell }) => cell));
    expect(places.filter((place) => !cells.has(positionOf(place).cell))).toEqual([]);
    // Four to the fifth on each of the six faces of the globe.
    expect(cells.size).toBe(6 * 4 ** 5);
  });

  it('fill pages to their limit, and the last one has no cursor', async () => {
    const places = named(Array.from({ length: 7 }, (_, n) => ({ latitude: 7, longitude: 7 + n * 1e-4 })));
    const box = { west: 6.9, south: 6.9, east: 7.1, north: 7.1 };
    const index = new MemoryPlaceIndex(places);
    expect((await placesInBox(index, box, { limit: 5 })).items).toHaveLength(5);
    const whole = await placesInBox(index, box, { limit: 8 });
    expect([whole.items.length, whole.nextCursor]).toEqual([7, undefined]);
    for (let limit = 1; limit <= 8; limit += 1) expect((await all(index, box, limit)).ids).toHaveLength(7);
  });

  it('may be five hundred at once, among places outside the box, with at most two thousand reads per request', async () => {
    const at = (n: number, latitude: number) => ({ latitude, longitude: 7 + (n % 1_000) * 1e-6 });
    const inside = Array.from({ length: 700 }, (_, n) => at(n, 7));
    const beside = Array.from({ length: 5_000 }, (_, n) => at(n, 7.000_01));
    const box = { west: 6.9, south: 6.9, east: 7.1, north: 7.000_005 };
    const index = new MemoryPlaceIndex(named([...inside, ...beside]));
    let cursor: string | undefined;
    const ids: string[] = [];
    do {
      const before = index.placesRead;
      const page = await placesInBox(index, box, { limit: 500, cursor });
      expect(page.items.length).toBeLessThanOrEqual(500);
      expect(index.placesRead - before).toBeLessThanOrEqual(2_000);
      ids.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(ids).toHaveLength(700);
    expect(new Set(ids).size).toBe(700);
  });

  it('around the globe, which ends just before it begins, are all', async () => {
    const places = named([
      { latitude: 0, longitude: 0 },
      { latitude: 1, longitude: 179 },
    ]);
    const box = { west: -32.669597, south: 0, east: -32.66959700000001, north: 1.5 };
    expect((await all(new MemoryPlaceIndex(places), box, 8)).ids).toHaveLength(2);
  });

  it('many at one point are all found', async () => {
    const places = named(Array.from({ length: 25 }, () => ({ latitude: 7, longitude: 7 })));
    const { ids } = await all(new MemoryPlaceIndex(places), { west: 7, south: 7, east: 7, north: 7 }, 4);
    expect(ids.toSorted()).toEqual(places.map(({ id }) => id).toSorted());
  });

  it('refuse the cursor of another box', async () => {
    const index = new MemoryPlaceIndex(named(Array.from({ length: 3 }, () => ({ latitude: 7, longitude: 7 }))));
    const { nextCursor } = await placesInBox(index, { west: 6, south: 6, east: 8, north: 8 }, { limit: 1 });
    expect(nextCursor).toBeDefined();
    const other = placesInBox(index, { west: 6, south: 6, east: 8, north: 8.1 }, { limit: 1, cursor: nextCursor });
    await expect(other).rejects.toMatchObject({ status: 400, code: 'invalid-cursor' });
  });
});

describe('the limit of a page', () => {
  const limitIn = (query: object) => PlacesQuery.safeParse(query).data?.limit;

  it('is up to 500 in a box, up to 100 for all places, and 50 by default', () => {
    const box = '7,7,8,8';
    expect([limitIn({ box, limit: '500' }), limitIn({ limit: '100' })]).toEqual([500, 100]);
    expect([limitIn({ box }), limitIn({})]).toEqual([50, 50]);
    for (const limit of ['501', '0', '1.5', 'x']) expect(limitIn({ box, limit })).toBeUndefined();
    for (const limit of ['101', '500']) expect(limitIn({ limit })).toBeUndefined();
  });
});

describe('the text of a box', () => {
  const boxIn = (box: string) => PlacesQuery.safeParse({ box }).data?.box;

  it('is west, south, east and north', () => {
    expect(boxIn('-10.5,-20,30,40.25')).toEqual({ west: -10.5, south: -20, east: 30, north: 40.25 });
    expect(boxIn('170,-1,-170,1')).toEqual({ west: 170, south: -1, east: -170, north: 1 });
    expect(boxIn('-180,-90,180,90')).toEqual({ west: -180, south: -90, east: 180, north: 90 });
    expect(boxIn('7,7,7,7')).toBeDefined();
  });

  const BAD_FORMS = ['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '1, 2,3,4', '1,2,3,4 ', '1e1,2,3,4', '1.,2,3,4', '+1,2,3,4'];
  const OUT_OF_BOUNDS = ['0,2,0,1', '0,-90.1,0,1', '0,0,0,90.1', '-180.1,0,0,1', '0,0,180.1,1', 'NaN,0,0,0'];
  it.each([...BAD_FORMS, ...OUT_OF_BOUNDS, `1,2,3,4.${'0'.repeat(200)}`])('is not %s', (text) => {
    expect(boxIn(text)).toBeUndefined();
  });
});

describe('the places in a box on the table', () => {
  let desk: PlacesDesk;
  beforeAll(async () => {
    desk = await openPlacesDesk();
  });
  afterAll(() => desk.close());

  it('are those of one tenant, page by page', async () => {
    const [tenant, other] = [newId('t'), newId('t')];
    const made = [];
    for (let n = 0; n < 6; n += 1) made.push(await desk.place(tenant, { latitude: 7 + n / 100, longitude: 7 }));
    await desk.place(tenant, { latitude: 7.5, longitude: 7 });
    await desk.place(other, { latitude: 7, longitude: 7 });
    const box = { west: 6.9, south: 6.9, east: 7.1, north: 7.2 };
    for (const limit of [1, 4, 6, 100]) {
      const { ids } = await all(placeIndex(desk.places, tenant), box, limit);
      expect(ids.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    }
    expect((await all(placeIndex(desk.places, other), box, 2)).ids).toHaveLength(1);
  });
});

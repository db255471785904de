import { describe, expect, it } from 'vitest';
import { nearby } from '../../../functions/places/nearby/nearby.ts';
import { MemoryPlaceIndex } from '../../support/places/memory-place-index.ts';
import { proveNearby } from '../../support/places/nearby-proof.ts';
import { bruteForce, pointAt, randomFrom } from '../../support/places/place-clouds.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const PARIS = { latitude: 48.8566, longitude: 2.3522 };

/** Places within a circle, spread evenly. */
function disc(count: number, meters: number, random: () => number) {
  return Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    ...pointAt(PARIS, meters * Math.sqrt(random()), random() * 2 * Math.PI),
  }));
}

describe('the nearest places', () => {
  it('are those that comparing every place gives, anywhere on the globe, from at most eight ranges', async () => {
    await proveNearby({ cases: isThorough ? 1_000 : 300, mostPlaces: 300 });
  });

  it('are found in a dense city by reading at most 400 places, in at most eight reads', async () => {
    const random = randomFrom(1);
    const places = disc(20_000, 1_000, random);
    const index = new MemoryPlaceIndex(places);
    for (let customer = 0; customer < (isThorough ? 300 : 100); customer += 1) {
      const centre = pointAt(PARIS, 950 * Math.sqrt(random()), random() * 2 * Math.PI);
      const expected = { centre, radiusMeters: customer % 2 === 0 ? 5_000 : 1_000, limit: 20 };
      index.reset();
      const near = await nearby(index, expected);
      if (customer % 10 === 0) expect(near).toEqual(bruteForce(places, expected));
      expect(near).toHaveLength(20);
      expect(index.placesRead).toBeLessThanOrEqual(400);
      expect(index.reads).toBeLessThanOrEqual(8);
    }
  });

  it('are found from outside of a dense city without reading much of it', async () => {
    const random = randomFrom(2);
    const places = disc(20_000, 1_000, random);
    const index = new MemoryPlaceIndex(places);
    for (let customer = 0; customer < (isThorough ? 100 : 30); customer += 1) {
      const centre = pointAt(PARIS, 1_000 + 4_000 * random(), random() * 2 * Math.PI);
      const expected = { centre, radiusMeters: 5_000, limit: 20 };
      index.reset();
      expect(await nearby(index, expected)).toEqual(bruteForce(places, expected));
      expect(index.placesRead).toBeLessThan(8_000);
      expect(index.reads).toBeLessThan(60);
    }
  });

  it('are found among thousands at one point, by id', async () => {
    const places = Array.from({ length: 3_000 }, (_, i) => ({ id: `p${(i * 7_919) % 3_000}`, ...PARIS }));
    const expected = { centre: PARIS, radiusMeters: 50, limit: 20 };
    expect(await nearby(new MemoryPlaceIndex(places), expected)).toEqual(bruteForce(places, expected));
  });

  it('are found when hardly any place matches', async () => {
    const places = disc(5_000, 1_000, randomFrom(3));
    const expected = {
      centre: PARIS,
      radiusMeters: 900,
      limit: 20,
      matches: ({ id }: { id: string }) => Number(id.slice(1)) % 1_000 === 0,
    };
    expect(await nearby(new MemoryPlaceIndex(places), expected)).toEqual(bruteForce(places, expected));
  });

  it('show a place once that moved while the index was read', async () => {
    const here = { id: 'moving', ...pointAt(PARIS, 10, 0) };
    const index = new MemoryPlaceIndex([here, { id: 'moving', ...pointAt(PARIS, 400, 2) }]);
    const near = await nearby(index, { centre: PARIS, radiusMeters: 1_000, limit: 20 });
    expect(near.map(({ place }) => place)).toEqual([here]);
  });
});

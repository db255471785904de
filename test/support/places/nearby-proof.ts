import * as fc from 'fast-check';
import { expect } from 'vitest';
import { nearby } from '../../../functions/places/nearby/nearby.ts';
import { MemoryPlaceIndex } from './memory-place-index.ts';
import { bruteForce, placeClouds } from './place-clouds.ts';

/** Compares searches with brute force: no place missed, none extra, in order, from at most eight ranges. */
export async function proveNearby({ cases, mostPlaces }: { cases: number; mostPlaces: number }): Promise<void> {
  let [results, crowded] = [0, 0];
  await fc.assert(
    fc.asyncProperty(placeClouds(mostPlaces), async ({ places, query }) => {
      const index = new MemoryPlaceIndex(places);
      const near = await nearby(index, query);
      expect(near.map(({ place }) => place.id)).toEqual(bruteForce(places, query).map(({ place }) => place.id));
      // More reads follow only where a range holds more than a page.
      const isCrowded = index.unfinished > 0;
      if (!isCrowded) expect(index.reads).toBeLessThanOrEqual(8);
      results += near.length;
      crowded += Number(isCrowded);
    }),
    { numRuns: cases },
  );
  expect(results).toBeGreaterThan(cases);
  expect(crowded).toBeGreaterThan(0);
  expect(crowded).toBeLessThan(cases / 2);
}

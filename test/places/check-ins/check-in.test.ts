import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../../functions/places/catalog/place.ts';
import { REFUSAL_OF } from '../../../functions/places/check-in-rules/check-in-state.ts';
import { NO_STANDING, type Standing } from '../../../functions/places/check-in-rules/standing.ts';
import type { CheckIn, CheckInDeps, Evidence } from '../../../functions/places/check-ins/check-in.ts';
import { listPlaces } from '../../../functions/places/listing/list-places.ts';
import { nearestOf } from '../../../functions/places/nearby/nearest-places.ts';
import {
  CENTRE,
  checkIn,
  newApp,
  newCaller,
  northOf,
  outcomeOf,
  placeInput,
} from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const app = newApp({ acceptedDistanceMeters: 100 });

const placed = (own: Partial<Place> = {}): Place => ({
  ...placeInput(app.tenant, { id: 'here' }),
  venueId: 7,
  createdAt: '',
  updatedAt: '',
  ...own,
});

/** A world in which the evidence is this, and each commit ends as told. */
function world({ evidence = {}, commits = [true] }: { evidence?: Partial<Evidence>; commits?: boolean[] }) {
  const seen = { looks: 0, ids: 0, committed: [] as CheckIn[] };
  const left = [...commits];
  const deps: CheckInDeps = {
    evidence: async () => {
      seen.looks += 1;
      return { place: placed(), listing: { ...CENTRE, at: NOW, places: [] }, standing: NO_STANDING, ...evidence };
    },
    commit: async (one) => {
      seen.committed.push(one);
      return left.shift() ?? false;
    },
    creativeOf: async () => undefined,
    hasAdUnit: async () => false,
    newId: () => `chk_${(seen.ids += 1)}`,
  };
  const attempt = (caller = newCaller(app)) =>
    outcomeOf(checkIn(deps, { caller, place: { id: 'here', venueId: 7 }, now: NOW }));
  return { seen, attempt };
}

describe('a check-in', () => {
  it('is written once if nothing forbids it', async () => {
    const { seen, attempt } = world({});
    expect(await attempt()).toMatchObject({ state: 'alreadycheckedin_checkable' });
    expect(seen).toMatchObject({ looks: 1, ids: 1 });
    expect(seen.committed).toHaveLength(1);
  });

  it('that is refused writes nothing', async () => {
    const { seen, attempt } = world({ evidence: { place: placed({ closed: true }) } });
    expect(await attempt()).toEqual({ code: 'check_in_not_available' });
    expect(seen.committed).toEqual([]);
  });

  it('that loses a race is decided again, under the same id', async () => {
    const { seen, attempt } = world({ commits: [false, false, true] });
    expect(await attempt()).toMatchObject({ state: 'alreadycheckedin_checkable' });
    expect(seen.looks).toBe(3);
    expect(seen.committed.map(({ id }) => id)).toEqual(['chk_1', 'chk_1', 'chk_1']);
  });

  it('that loses three races which nobody won is a fault, not a refusal', async () => {
    const { seen, attempt } = world({ commits: [false, false, false, true] });
    await expect(attempt()).rejects.toThrow('although its state allows it');
    expect(seen.looks).toBe(3);
  });

  it('reports a wrong request first, then a missing listing, then the state', async () => {
    const closed = placed({ closed: true });
    const otherVenue = placed({ venueId: 8, closed: true });
    expect(await world({ evidence: { place: undefined, listing: undefined } }).attempt()).toEqual({
      code: 'not_found',
    });
    expect(await world({ evidence: { place: otherVenue, listing: undefined } }).attempt()).toEqual({
      code: 'argument_error',
    });
    expect(await world({ evidence: { place: closed, listing: undefined } }).attempt()).toEqual({
      code: 'missing_data',
    });
  });
});

describe('a list and a check-in', () => {
  it('never contradict each other, whatever the place, the app and the customer’s past', async () => {
    const count = fc.integer({ min: 0, max: 4 });
    const cases = fc.record({
      meters: fc.double({ min: 0, max: 300, noNaN: true }),
      closed: fc.boolean(),
      brand: fc.constantFrom('', 'A', 'B'),
      acceptedDistanceMeters: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
      nextAt: fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }), { nil: undefined }),
      dayCount: count,
      ofA: count,
      checkInsPerDay: fc.integer({ min: 1, max: 4 }),
      checkInsPerBrandAndDay: count,
      age: fc.integer({ min: 0, max: 600_000 }),
    });
    const property = fc.asyncProperty(cases, async (one) => {
      const { meters, closed, brand, acceptedDistanceMeters, nextAt, dayCount, ofA, age, ...limits } = one;
      const caller = newCaller({ ...app, ...limits });
      const place = placed({ closed, brand, acceptedDistanceMeters, ...northOf(CENTRE, meters) });
      const standing: Standing = {
        nextAt: new Map(nextAt === undefined ? [] : [['here', nextAt]]),
        dayCount,
        brandCounts: new Map([['A', ofA]]),
      };
      const [listed] = await listPlaces(
        {
          nearby: async (_, query) => nearestOf([place], query),
          byIds: async () => [],
          promotions: async () => ({ creativeOf: () => undefined, placesOf: () => new Set(), hasUnit: () => false }),
          standings: { whole: async () => standing, at: async () => standing },
          keepListing: async () => undefined,
        },
        caller,
        CENTRE,
        NOW,
      );
      const listing = { ...CENTRE, at: NOW - age, places: [] };
      const outcome = await world({ evidence: { place, listing, standing } }).attempt(caller);
      const code = REFUSAL_OF[listed!.state];
      if (code === undefined) expect(outcome).toMatchObject({ state: 'alreadycheckedin_checkable' });
      else expect(outcome).toEqual({ code });
    });
    await fc.assert(property, { numRuns: 400 });
  });
});

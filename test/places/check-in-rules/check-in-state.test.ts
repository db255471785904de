import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CheckInState,
  checkInState,
  type Facts,
  REFUSAL_OF,
} from '../../../functions/places/check-in-rules/check-in-state.ts';
import { acceptedDistanceOf, dayOf, NO_STANDING, stateOf } from '../../../functions/places/check-in-rules/standing.ts';
import { newApp } from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

const CLOSED = [false, true];
const NEXT_AT = { absent: undefined, past: NOW - 1, now: NOW, future: NOW + 1 };
const DAY_COUNT = { below: 2, at: 3, above: 4 };
const BRAND = { off: [9, 0], below: [1, 2], at: [2, 2], above: [3, 2] } as const;
const DISTANCE = { below: 99.9, at: 100, above: 100.000_001 };

const keys = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const CASES = CLOSED.flatMap((closed) =>
  keys(NEXT_AT).flatMap((next) =>
    keys(DAY_COUNT).flatMap((day) =>
      keys(BRAND).flatMap((brand) => keys(DISTANCE).map((distance) => ({ closed, next, day, brand, distance }))),
    ),
  ),
);
type Case = (typeof CASES)[number];

const factsOf = ({ closed, next, day, brand, distance }: Case): Facts => ({
  closed,
  nextAt: NEXT_AT[next],
  now: NOW,
  dayCount: DAY_COUNT[day],
  dayLimit: 3,
  brandCount: BRAND[brand][0],
  brandLimit: BRAND[brand][1],
  distance: DISTANCE[distance],
  acceptedDistance: 100,
});

/** By the words of the specification, one condition after another. */
function expected({ closed, next, day, brand, distance }: Case): CheckInState {
  const range = distance === 'above' ? 'toofar' : 'checkable';
  if (closed) return 'not_checkable';
  if (next === 'future') return `alreadycheckedin_${range}`;
  if (day !== 'below') return 'blocked_limithit';
  if (brand === 'at' || brand === 'above') return `blocked_${range}`;
  return range;
}

describe('the state of a place', () => {
  it('follows from the facts in every combination', () => {
    expect(CASES).toHaveLength(2 * 4 * 3 * 4 * 3);
    for (const one of CASES)
      expect({ ...one, state: checkInState(factsOf(one)) }).toEqual({ ...one, state: expected(one) });
  });

  it('takes each of the eight values', () => {
    const reached = new Set(CASES.map((one) => checkInState(factsOf(one))));
    expect([...reached].toSorted()).toEqual(Object.keys(REFUSAL_OF).toSorted());
    expect(reached.size).toBe(8);
  });

  it('is accepted in exactly one case of the limits: none reached, and within the distance', () => {
    for (const one of CASES) {
      const isFree =
        !one.closed && one.next !== 'future' && one.day === 'below' && ['off', 'below'].includes(one.brand);
      const accepted = REFUSAL_OF[checkInState(factsOf(one))] === undefined;
      expect({ ...one, accepted }).toEqual({ ...one, accepted: isFree && one.distance !== 'above' });
    }
  });

  it('decides the code of a refusal', () => {
    expect(REFUSAL_OF).toEqual({
      checkable: undefined,
      toofar: 'check_in_too_far_away',
      alreadycheckedin_checkable: 'check_in_not_available',
      alreadycheckedin_toofar: 'check_in_not_available',
      blocked_checkable: 'check_in_not_available',
      blocked_toofar: 'check_in_not_available',
      blocked_limithit: 'check_in_limit_reached',
      not_checkable: 'check_in_not_available',
    });
  });

  it('is never better for a customer who is farther away, or has checked in more', () => {
    const count = fc.integer({ min: 0, max: 5 });
    const facts = fc.record({
      closed: fc.boolean(),
      nextAt: fc.option(fc.integer({ min: NOW - 3, max: NOW + 3 }), { nil: undefined }),
      now: fc.constant(NOW),
      dayCount: count,
      dayLimit: fc.integer({ min: 1, max: 5 }),
      brandCount: count,
      brandLimit: count,
      distance: fc.double({ min: 0, max: 200, noNaN: true }),
      acceptedDistance: fc.integer({ min: 1, max: 200 }),
    });
    const isAccepted = (one: Facts) => REFUSAL_OF[checkInState(one)] === undefined;
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 100, noNaN: true }), count, (one, meters, more) => {
        if (isAccepted(one)) return;
        expect(isAccepted({ ...one, distance: one.distance + meters })).toBe(false);
        expect(isAccepted({ ...one, dayCount: one.dayCount + more })).toBe(false);
        expect(isAccepted({ ...one, brandCount: one.brandCount + more })).toBe(false);
        expect(isAccepted({ ...one, closed: true })).toBe(false);
      }),
    );
  });
});

describe('the state of a place for a customer', () => {
  const app = newApp({ acceptedDistanceMeters: 100, checkInsPerDay: 3, checkInsPerBrandAndDay: 1 });
  const place = { id: 'here', brand: 'Acme', closed: false };
  const seen = { app, standing: NO_STANDING, distance: 100, now: NOW };

  it('is decided by the place’s accepted distance, before the app’s', () => {
    expect(stateOf(place, seen)).toBe('checkable');
    expect(stateOf(place, { ...seen, distance: 100.1 })).toBe('toofar');
    expect(stateOf({ ...place, acceptedDistanceMeters: 50 }, seen)).toBe('toofar');
    expect(stateOf({ ...place, acceptedDistanceMeters: 500 }, { ...seen, distance: 500 })).toBe('checkable');
    expect(acceptedDistanceOf({ ...place, acceptedDistanceMeters: 1 }, app)).toBe(1);
    expect(acceptedDistanceOf({ ...place, acceptedDistanceMeters: undefined }, app)).toBe(100);
  });

  it('counts check-ins at this place and with its brand, and no others', () => {
    const standing = {
      nextAt: new Map([['elsewhere', NOW + 1_000]]),
      dayCount: 2,
      brandCounts: new Map([['Other', 9]]),
    };
    expect(stateOf(place, { ...seen, standing })).toBe('checkable');
    const here = { ...standing, nextAt: new Map([['here', NOW + 1_000]]) };
    expect(stateOf(place, { ...seen, standing: here })).toBe('alreadycheckedin_checkable');
    const often = { ...standing, brandCounts: new Map([['Acme', 1]]) };
    expect(stateOf(place, { ...seen, standing: often })).toBe('blocked_checkable');
    expect(stateOf({ ...place, closed: true }, { ...seen, standing })).toBe('not_checkable');
    expect(stateOf(place, { ...seen, standing: { ...standing, dayCount: 3 } })).toBe('blocked_limithit');
  });

  it('has no brand limit for a place without a brand, even if something was counted under an empty name', () => {
    const standing = { ...NO_STANDING, brandCounts: new Map([['', 9]]) };
    expect(stateOf({ ...place, brand: '' }, { ...seen, standing })).toBe('checkable');
    const unlimited = { ...app, checkInsPerBrandAndDay: 0 };
    const often = { ...NO_STANDING, brandCounts: new Map([['Acme', 9]]) };
    expect(stateOf(place, { ...seen, app: unlimited, standing: often })).toBe('checkable');
  });
});

describe('a day', () => {
  it('is one of UTC, from its first to its last millisecond', () => {
    const midnight = Date.parse('2026-11-16T00:00:00.000Z');
    expect(dayOf(midnight - 1)).toBe('2026-11-15');
    expect(dayOf(midnight)).toBe('2026-11-16');
    expect(dayOf(midnight + 86_399_999)).toBe('2026-11-16');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { seeded } from '../../support/runner/virtual-time.ts';
import { searchCheckIns, walkCheckIns } from './check-in-search.ts';

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

describe('check-ins and lists', () => {
  it('do what the specification says, in every order of two steps', async () => {
    const findings = await searchCheckIns(desk, 2);
    expect(findings.differences).toEqual([]);
    expect(findings.states).toBeGreaterThan(isThorough ? 20 : 10);
    expect(findings.made).toBeGreaterThan(isThorough ? 250 : 80);
    expect(findings.refused['check_in_not_available']).toBeGreaterThan(isThorough ? 300 : 100);
    expect(findings.refused['check_in_too_far_away']).toBeGreaterThan(isThorough ? 250 : 80);
  });

  it('do so in long lives, in which every limit is reached', async () => {
    const findings = await walkCheckIns(desk, { walks: 6, steps: 16, random: seeded(7) });
    expect(findings.differences).toEqual([]);
    expect(findings.made).toBeGreaterThan(40);
    expect(Object.keys(findings.refused).toSorted()).toEqual([
      'check_in_limit_reached',
      'check_in_not_available',
      'check_in_too_far_away',
    ]);
    // No place is closed here.
    expect([...findings.checkInStates].toSorted()).toEqual([
      'alreadycheckedin_checkable',
      'alreadycheckedin_toofar',
      'blocked_checkable',
      'blocked_limithit',
      'blocked_toofar',
      'checkable',
      'toofar',
    ]);
  });
});

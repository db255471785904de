import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AdUnit,
  AdUnitChange,
  AdUnitFields,
  isActive,
  presentAdUnit,
} from '../../../functions/places/ad-units/ad-unit.ts';
import { promotionsAt } from '../../../functions/places/ad-units/promotions.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const iso = (at: number) => new Date(at).toISOString();

const unit = (creativeId: number, placeIds: string[], own: Partial<AdUnit> = {}): AdUnit => ({
  tenant: 'acme',
  id: `adu_${creativeId}`,
  creativeId,
  revision: 1,
  name: 'Summer',
  placeIds,
  startsAt: null,
  endsAt: null,
  createdAt: iso(NOW),
  updatedAt: iso(NOW),
  ...own,
});

describe('an ad unit as its owner defines it', () => {
  const takes = (own: object) => AdUnitFields.safeParse({ name: 'Summer', placeIds: ['a'], ...own }).success;

  it('has a name and 1 to 1,000 places, once each', () => {
    expect(AdUnitFields.parse({ name: ' Summer ', placeIds: ['b', 'a', 'b'] })).toEqual({
      name: 'Summer',
      placeIds: ['b', 'a'],
      startsAt: null,
      endsAt: null,
    });
    const many = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`);
    expect([takes({ placeIds: many(1_000) }), takes({ placeIds: many(1_001) }), takes({ placeIds: [] })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(takes({ placeIds: ['a#b'] })).toBe(false);
    expect([takes({ name: 'x'.repeat(200) }), takes({ name: 'x'.repeat(201) }), takes({ name: ' ' })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(takes({ creativeId: 7 })).toBe(false);
  });

  it('has times with an offset, kept in UTC, or none', () => {
    const { startsAt } = AdUnitFields.parse({ name: 'x', placeIds: ['a'], startsAt: '2026-11-15T12:30:00+02:00' });
    expect(startsAt).toBe('2026-11-15T10:30:00.000Z');
    for (const endsAt of ['2026-11-15', '2026-11-15T12:30:00', 'tomorrow', 7, '2026-13-01T00:00:00Z']) {
      expect([endsAt, takes({ endsAt })]).toEqual([endsAt, false]);
    }
  });

  it('needs a change that names something', () => {
    expect(AdUnitChange.safeParse({}).success).toBe(false);
    expect(AdUnitChange.safeParse({ revision: 7 }).success).toBe(false);
    expect(AdUnitChange.parse({ endsAt: null })).toEqual({ endsAt: null });
    expect(AdUnitChange.parse({ placeIds: ['a', 'a'] })).toEqual({ placeIds: ['a'] });
  });

  it('is shown without its tenant and revision', () => {
    const { tenant: _, revision: __, ...view } = unit(7, ['a']);
    expect(presentAdUnit(unit(7, ['a']))).toStrictEqual(view);
  });
});

describe('an ad unit', () => {
  it.each([
    [null, null, true],
    [NOW, null, true],
    [NOW + 1, null, false],
    [null, NOW, false],
    [null, NOW + 1, true],
    [NOW - 2, NOW - 1, false],
    [NOW, NOW + 1, true],
    [NOW + 1, NOW + 2, false],
  ])('from %s to %s is active: %s', (from, to, active) => {
    const times = { startsAt: from === null ? null : iso(from), endsAt: to === null ? null : iso(to) };
    expect(isActive(times, NOW)).toBe(active);
  });
});

describe('promotions', () => {
  it('are those of the newest active unit of a place', () => {
    const units = [
      unit(4, ['a'], { startsAt: iso(NOW + 1) }),
      unit(3, ['a', 'b']),
      unit(2, ['b', 'c']),
      unit(1, ['d'], { endsAt: iso(NOW) }),
    ];
    const promotions = promotionsAt(units, NOW);
    expect(['a', 'b', 'c', 'd', 'e'].map((place) => promotions.creativeOf(place))).toEqual([
      3,
      3,
      2,
      undefined,
      undefined,
    ]);
    expect([4, 3, 2, 1, 9].map((id) => [...promotions.placesOf(id)])).toEqual([[], ['a', 'b'], ['b', 'c'], [], []]);
  });

  it('name for each place a unit that has it', () => {
    const times = fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }).map(iso), { nil: null });
    const units = fc.uniqueArray(
      fc.record({
        creativeId: fc.integer({ min: 1, max: 6 }),
        placeIds: fc.array(fc.constantFrom('a', 'b', '__proto__', 'constructor'), { minLength: 1 }),
        startsAt: times,
        endsAt: times,
      }),
      { selector: ({ creativeId }) => creativeId },
    );
    fc.assert(
      fc.property(units, (all) => {
        const newestFirst = all.map(({ creativeId, placeIds, ...own }) => unit(creativeId, placeIds, own));
        const promotions = promotionsAt(newestFirst, NOW);
        for (const place of ['a', 'b', '__proto__', 'constructor', 'other']) {
          const first = newestFirst.find((one) => isActive(one, NOW) && one.placeIds.includes(place));
          expect(promotions.creativeOf(place)).toBe(first?.creativeId);
          if (first) expect(promotions.placesOf(first.creativeId).has(place)).toBe(true);
        }
      }),
    );
  });
});

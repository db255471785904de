import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceLabel } from '../../../functions/places/listing/distance-label.ts';

describe('the label of a distance', () => {
  it.each([
    [0, '0 m', '0 ft'],
    [0.49, '0 m', '2 ft'],
    [0.5, '1 m', '2 ft'],
    [100, '100 m', '328 ft'],
    [160.93, '161 m', '528 ft'],
    [160.94, '161 m', '0.1 mi'],
    [350.4, '350 m', '0.2 mi'],
    [999.49, '999 m', '0.6 mi'],
    [999.5, '1.0 km', '0.6 mi'],
    [1_000, '1.0 km', '0.6 mi'],
    [1_609.344, '1.6 km', '1.0 mi'],
    [9_949, '9.9 km', '6.2 mi'],
    [9_950, '10 km', '6.2 mi'],
    [14_400, '14 km', '8.9 mi'],
    [16_012, '16 km', '9.9 mi'],
    [16_013, '16 km', '10 mi'],
    [50_000, '50 km', '31 mi'],
  ])('of %d metres is %s or %s', (meters, km, mi) => {
    expect([distanceLabel(meters, 'km'), distanceLabel(meters, 'mi')]).toEqual([km, mi]);
  });

  it('never shrinks for a longer distance', () => {
    const UNITS = { m: 1, km: 1_000, ft: 0.3048, mi: 1_609.344 };
    const metersOf = (label: string) => {
      const [value, unit] = label.split(' ') as [string, keyof typeof UNITS];
      return Number(value) * UNITS[unit];
    };
    const meters = fc.double({ min: 0, max: 60_000, noNaN: true });
    fc.assert(
      fc.property(meters, meters, fc.constantFrom('km', 'mi'), (a, b, unit) => {
        const [near, far] = [Math.min(a, b), Math.max(a, b)].map((one) => metersOf(distanceLabel(one, unit)));
        // A hundredth of a mile, as the small unit changes into the large one.
        expect(near! - far!).toBeLessThan(1);
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MERGED_PIXELS, merged } from '../../../functions/console/map/clusters.ts';

const markers = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 640 }), fc.integer({ min: 0, max: 440 })), { maxLength: 80 })
  .map((points) => points.map(([x, y], item) => ({ x, y, items: [item] })));

describe('markers of a map', () => {
  it('lose nothing and stand apart when they are merged', () => {
    fc.assert(
      fc.property(markers, (all) => {
        const shown = merged(all);
        expect(shown.flatMap(({ items }) => items).toSorted((a, b) => a - b)).toEqual(all.map((_, item) => item));
        for (const [at, one] of shown.entries()) {
          for (const other of shown.slice(at + 1)) {
            expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(MERGED_PIXELS);
          }
        }
      }),
    );
  });

  it('stay alone where there is room', () => {
    const apart = [0, 1, 2].map((item) => ({ x: item * MERGED_PIXELS, y: 0, items: [item] }));
    expect(merged(apart)).toEqual(apart);
  });

  it('stand in the middle of what they hold', () => {
    const near = [10, 10, 16].map((x, item) => ({ x, y: 5, items: [item] }));
    expect(merged(near)).toEqual([{ x: 12, y: 5, items: [0, 1, 2] }]);
  });
});

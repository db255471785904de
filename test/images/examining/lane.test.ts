import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { laneOf } from '../../../functions/images/examining/lane.ts';

const text = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' });

it('an app has the configured number of lanes, shares none, and uses all of them', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 50 }), (tenant, app, lanes) => {
      const slots = Array.from({ length: lanes * 40 }, (_, at) => `img-${at}`);
      const own = new Set(slots.map((slot) => laneOf(slot, { tenant, app, lanes })));
      const others = new Set(slots.map((slot) => laneOf(slot, { tenant, app: `${app}2`, lanes })));
      expect(own.size).toBeLessThanOrEqual(lanes);
      expect(own.size).toBeGreaterThan(lanes / 2);
      expect([...own].filter((lane) => others.has(lane))).toEqual([]);
      // What SQS takes for the group of a message.
      for (const lane of own) expect(lane).toMatch(/^[\w-]{1,128}$/);
    }),
    { numRuns: 20 },
  );
});

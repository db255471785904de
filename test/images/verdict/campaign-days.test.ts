import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { daysOf } from '../../../functions/images/verdict/campaign-days.ts';

describe('the days of a campaign', () => {
  it.each([
    ['US', '2026-02-28', '2026-03-30'],
    ['MY', '2026-03-01', '2026-03-31'],
    ['DE', '2026-03-01', '2026-03-31'],
    ['AU', '2026-03-01', '2026-03-31'],
  ])('are those of its country: %s', (country, first, last) => {
    const period = {
      startsAt: '2026-03-01T00:00:00.000Z',
      endsAt: '2026-03-31T04:00:00.000Z',
      country,
    };
    expect(daysOf(period)).toEqual({ first, last });
  });

  it('are one day if it lasts from midnight to midnight', () => {
    const midnight = (day: number) => `2026-07-${day}T04:00:00.000Z`;
    const period = {
      startsAt: midnight(10),
      endsAt: midnight(11),
      country: 'US',
    };
    expect(daysOf(period)).toEqual({ first: '2026-07-10', last: '2026-07-10' });
  });

  it('are in order and defined for every country', () => {
    const time = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2040-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 400 * 86_400_000 }), (start, millis) => {
        for (const country of Object.keys(LOCALES)) {
          const endsAt = new Date(start.getTime() + millis).toISOString();
          const { first, last } = daysOf({
            startsAt: start.toISOString(),
            endsAt,
            country,
          });
          expect(first <= last).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

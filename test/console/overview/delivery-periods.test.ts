import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryPeriods } from '../../../functions/console/overview/delivery-periods.ts';

const NOW = Date.parse('2026-11-22T12:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const run = (millisAgo: number, status = 'COMPLETED') => ({
  status,
  triggeredAt: new Date(NOW - millisAgo).toISOString(),
});

describe('the periods of the delivery chart', () => {
  it('are the hours of the last day if every run of the day is given', () => {
    const { periods, length, since, failed } = deliveryPeriods([run(0), run(HOUR, 'FAILED'), run(DAY)], false, NOW);
    expect([periods.length, length, since, failed]).toEqual([25, HOUR, undefined, 1]);
    expect(new Date(periods[0]?.at ?? 0).toISOString()).toBe('2026-11-21T12:00:00.000Z');
    expect([periods[0]?.completed, periods.at(-2)?.failed, periods.at(-1)?.completed]).toEqual([1, 1, 1]);
  });

  it('are shorter and begin with the oldest run if older runs are not given', () => {
    const { periods, length, since } = deliveryPeriods([run(0), run(20 * 60_000)], true, NOW);
    expect([periods.length, length, since]).toEqual([21, 60_000, NOW - 20 * 60_000]);
  });

  it('are one empty hour after another if there is no run', () => {
    expect(deliveryPeriods([], false, NOW).periods.every(({ completed }) => completed === 0)).toBe(true);
  });

  it('count every run once, in at most 26 bars', () => {
    const status = constantFrom('COMPLETED', 'FAILED', 'IN_PROGRESS', 'CREATED');
    const runs = array(record({ ago: integer({ min: 0, max: DAY }), status }), { maxLength: 100 });
    assert(
      property(runs, boolean(), (all, isMore) => {
        const { periods, runs: count } = deliveryPeriods(
          all.map(({ ago, status: own }) => run(ago, own)),
          isMore,
          NOW,
        );
        expect(periods.length).toBeLessThanOrEqual(26);
        expect(periods.reduce((sum, { completed, failed, open }) => sum + completed + failed + open, 0)).toBe(count);
      }),
    );
  });
});

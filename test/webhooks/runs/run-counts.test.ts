import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCounts } from '../../../functions/webhooks/runs/run-counts.ts';

const NOW = Date.parse('2026-11-22T12:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LAST_DAY = { from: NOW - DAY, to: NOW + 1 };
const run = (millisAgo: number, outcome: string | undefined = 'COMPLETED') => ({ createdAt: NOW - millisAgo, outcome });

describe('the counts of runs', () => {
  it('are by hours of the last day if all its runs were read', () => {
    const runs = [run(0), run(HOUR, 'FAILED'), { createdAt: NOW - DAY, outcome: undefined }];
    const { periodMinutes, periods, reached } = runCounts({ runs }, LAST_DAY);
    expect([periodMinutes, periods.length, reached]).toEqual([60, 25, undefined]);
    expect(periods[0]).toEqual({ from: '2026-11-21T12:00:00.000Z', completed: 0, failed: 0, inProgress: 1 });
    expect([periods.at(-2)?.failed, periods.at(-1)?.completed]).toEqual([1, 1]);
  });

  it('are by shorter periods, from the oldest run that was read, if there are too many', () => {
    const runs = [run(0), run(20 * MINUTE)];
    const { periodMinutes, periods, reached } = runCounts({ runs, reached: NOW - 20 * MINUTE }, LAST_DAY);
    expect([periodMinutes, periods.length, reached]).toEqual([1, 21, '2026-11-22T12:10:00.000Z']);
    expect([periods[0]?.completed, periods[20]?.completed]).toEqual([1, 1]);
  });

  it('of a long interval are by days, and an interval that ends with a period has no empty one after it', () => {
    const days = (count: number) =>
      runCounts({ runs: [] }, { from: Date.parse('2026-11-01'), to: Date.parse('2026-11-01') + count * DAY });
    expect(days(1)).toMatchObject({ periodMinutes: 60, periods: { length: 24 } });
    expect(days(20)).toMatchObject({ periodMinutes: 1_440, periods: { length: 20 } });
    expect(days(20_000).periods.length).toBeLessThanOrEqual(26);
  });

  it('count every run once, in at most 26 periods', () => {
    const outcome = fc.constantFrom('COMPLETED', 'FAILED', undefined);
    const runs = fc.array(fc.record({ createdAt: fc.integer({ min: 0, max: NOW }), outcome }), { maxLength: 100 });
    fc.assert(
      fc.property(
        runs,
        fc.integer({ min: 0, max: NOW }),
        fc.option(fc.integer({ min: 0, max: NOW })),
        (all, from, cut) => {
          const reached = cut ?? 0;
          const read = all.filter(({ createdAt }) => createdAt >= Math.max(from, reached));
          const { periods } = runCounts({ runs: read, ...(cut !== null && { reached }) }, { from, to: NOW + 1 });
          expect(periods.length).toBeLessThanOrEqual(26);
          expect(
            periods.reduce((sum, { completed, failed, inProgress }) => sum + completed + failed + inProgress, 0),
          ).toBe(read.length);
        },
      ),
    );
  });
});

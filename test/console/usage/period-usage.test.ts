import { describe, expect, it } from 'vitest';
import { periodUsage } from '../../../functions/console/usage/period-usage.ts';

const period = { periodStart: '2026-11-12T10:00:00Z', periodEnd: '2026-12-12T10:00:00Z' };
const day = (date: string, live: number) => ({ date, live, test: 5 });

describe('the use of a period', () => {
  it('adds up the live conversions of its days, and of no day before', () => {
    const days = [day('2026-11-11', 900), day('2026-11-12', 100), day('2026-11-13', 0), day('2026-11-14', 50)];
    const { sums, length, expected } = periodUsage(period, days);
    expect(sums.map(({ sum }) => sum)).toEqual([100, 100, 150]);
    expect([length, expected]).toEqual([30, undefined]);
  });

  it('is foreseen from the fifth day on, at the rate of the days before', () => {
    const days = ['12', '13', '14', '15', '16'].map((number) => day(`2026-11-${number}`, 200));
    expect(periodUsage(period, days).expected).toBe(6_000);
    expect(periodUsage(period, days.slice(1)).expected).toBeUndefined();
  });

  it('is nothing at its beginning', () => {
    expect(periodUsage(period, [])).toEqual({ sums: [], length: 30, expected: undefined });
  });
});

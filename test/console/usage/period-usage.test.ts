import { describe, expect, it } from 'vitest';
import { expectedOverage, periodUsage } from '../../../functions/console/usage/period-usage.ts';
import type { SpendCap } from '../../../functions/console/usage/usage-answers.ts';

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

describe('the overage to expect', () => {
  const offers = [
    { plan: 'free', price: '0.00', included: 5_000, rateLimit: { perSecond: 1, burst: 1 } },
    { plan: 'starter', price: '9.00', included: 5_000, overage: '0.0125', rateLimit: { perSecond: 1, burst: 1 } },
  ];
  const expected = (conversions: number | undefined, plan = 'starter', spendCap: SpendCap = { mode: 'none' }) =>
    expectedOverage({ liveIncluded: 5_000 }, { plan, offers, spendCap }, conversions);

  it('is the price of what goes beyond the included conversions, up to the cap', () => {
    expect(expected(6_000)).toBe('12.50');
    expect(expected(6_000, 'starter', { amount: '7.50' })).toBe('7.50');
  });

  it('is none within them, on a plan without overage, where a cap stops at them, or while nothing is foreseen', () => {
    const none = [expected(5_000), expected(6_000, 'free'), expected(6_000, 'starter', { mode: 'hard-stop' })];
    expect([...none, expected(undefined)]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { reachedThreshold } from '../../../../functions/conversions/billing/balances/thresholds.ts';
import { account, NOW } from '../../../support/conversions/meter-accounts.ts';

const ACME = 'acme';
const now = NOW / 1_000;
const ITEM = account('free');
const withUsed = (used: number, more: Partial<Account> = {}): Account => ({
  ...ITEM,
  [`q_${ITEM.periodId}`]: used,
  ...more,
});
const percentOf = (item: Account, mode: 'live' | 'test' = 'live') =>
  reachedThreshold(ACME, { mode, item, now })?.percent;

describe('a threshold', () => {
  it('is reached at exactly 50, 80, 90 and 100 percent of what is included', () => {
    const reached = [499, 500, 799, 800, 899, 900, 999, 1_000, 1_200].map((used) => percentOf(withUsed(used)));
    expect(reached).toEqual([undefined, 50, 50, 80, 80, 90, 90, 100, 100]);
  });

  it('is reached by the first whole conversion at or above it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500_000 }), fc.constantFrom(50, 80, 90, 100), (inc, percent) => {
        const at = Math.ceil((percent * inc) / 100);
        const before = percentOf(withUsed(at - 1, { included: inc })) ?? 0;
        expect(percentOf(withUsed(at, { included: inc }))).toBeGreaterThanOrEqual(percent);
        expect(before).toBeLessThan(percent);
      }),
    );
  });

  it('is of what is included, however much overage is allowed', () => {
    expect(percentOf(withUsed(500, { hardLimit: 9e15 }))).toBe(50);
  });

  it('that was announced is not reached again, and a higher one is', () => {
    const th = { periodId: ITEM.periodId, included: ITEM.included, percent: 80 };
    expect(percentOf(withUsed(899, { announcedThreshold: th }))).toBeUndefined();
    expect(percentOf(withUsed(900, { announcedThreshold: th }))).toBe(90);
  });

  it('counts anew in another period, and after a plan that includes more', () => {
    const full = { periodId: ITEM.periodId, included: ITEM.included, percent: 100 };
    expect(percentOf(withUsed(500, { announcedThreshold: { ...full, periodId: 'm202610' } }))).toBe(50);
    expect(percentOf(withUsed(5_000, { included: 10_000, announcedThreshold: full }))).toBe(50);
    const ids = [ITEM.included, 10_000].map(
      (inc) => reachedThreshold(ACME, { mode: 'live', item: withUsed(inc, { included: inc }), now })?.announced.id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('of the test pool is one of its whole life', () => {
    expect([124, 125, 200, 225, 250].map((tu) => percentOf({ ...ITEM, testUsed: tu }, 'test'))).toEqual([
      undefined,
      50,
      80,
      90,
      100,
    ]);
    expect(
      percentOf({ ...ITEM, testUsed: 200, announcedTestPercent: 80, periodId: 'm202701' }, 'test'),
    ).toBeUndefined();
    expect(percentOf({ ...ITEM, testUsed: 225, announcedTestPercent: 80 }, 'test')).toBe(90);
  });

  it('tells what is used of what, and when there is more', () => {
    const live = reachedThreshold(ACME, { mode: 'live', item: withUsed(900), now });
    const resetsAt = new Date(ITEM.periodEnd / 1_000);
    expect(live?.announced.data).toMatchObject({ quota: 'live', percent: 90, used: 900, limit: 1_000 });
    expect(new Date(String(live?.announced.data['resetsAt']))).toEqual(resetsAt);
    const test = reachedThreshold(ACME, { mode: 'test', item: { ...ITEM, testUsed: 250 }, now });
    expect(test?.announced.data).toEqual({ quota: 'test', percent: 100, used: 250, limit: 250, resetsAt: null });
  });
});

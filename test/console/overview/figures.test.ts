import { describe, expect, it } from 'vitest';
import {
  failedFigure,
  progressFigure,
  quotaFigure,
  reviewFigure,
} from '../../../functions/console/overview/figures.ts';
import { UNUSED } from '../../support/console/usage-answer.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const run = (triggeredAt: string) => ({ triggeredAt });

describe('failed runs', () => {
  it('are counted one page far', () => {
    const runs = Array.from({ length: 100 }, () => run('2026-11-22T11:00:00Z'));
    expect(failedFigure({ items: runs, nextCursor: 'more' })).toMatchObject({ value: '100+', isBad: true });
    expect(failedFigure({ items: runs.slice(0, 3) })).toMatchObject({ value: '3', isBad: true });
    expect(failedFigure({ items: [] })).toMatchObject({ value: '0', isBad: false });
  });

  it('are none on an empty page that goes on: they would be older than what is asked for', () => {
    expect(failedFigure({ items: [], nextCursor: 'more' })).toMatchObject({ value: '0', isBad: false });
  });
});

describe('runs in progress', () => {
  const period = (from: string, inProgress: number) => ({ from, completed: 5, failed: 1, inProgress });
  const periods = [
    period('2026-11-22T09:00:00Z', 2),
    period('2026-11-22T10:00:00Z', 0),
    period('2026-11-22T11:00:00Z', 1),
  ];

  it('are counted, with how old the oldest is at most', () => {
    expect(progressFigure({ periods }, NOW)).toMatchObject({ value: '3', detail: 'last 24 hours, oldest: up to 3 h' });
    expect(progressFigure({ periods: periods.slice(1, 2) }, NOW)).toMatchObject({
      value: '0',
      detail: 'last 24 hours',
    });
  });

  it('are more where not all were counted', () => {
    expect(progressFigure({ periods, reached: '2026-11-22T10:00:00Z' }, NOW)).toMatchObject({
      value: '3+',
      detail: 'last 2 h only',
    });
  });
});

describe('what waits', () => {
  it('counts a review from when it was asked for', () => {
    const oldest = { createdAt: '2026-11-20T12:00:00Z', review: { requestedAt: '2026-11-22T11:30:00Z' } };
    const reviews = { items: [oldest], count: { value: 100, isMore: true } };
    expect(reviewFigure(reviews, NOW)).toMatchObject({ value: '100+', detail: 'oldest: 30 min' });
    expect(reviewFigure({ items: [], count: { value: 0, isMore: false } }, NOW).detail).toBe('none waiting');
  });
});

describe('the quota', () => {
  const used = { ...UNUSED, liveIncluded: 1_000, liveUsed: 910, testQuota: 100, testUsed: 5 };

  it('is that of the plan, and never shown as used up before it is', () => {
    expect(quotaFigure(used)).toEqual({ value: '91%', detail: '910 of 1,000 conversions', isBad: true });
    expect(quotaFigure({ ...used, liveUsed: 999 }).value).toBe('99%');
    expect(quotaFigure({ ...used, liveUsed: 1_200, liveOverage: 200 })).toMatchObject({
      value: '120%',
      detail: '1,200 of 1,000 conversions, 200 beyond',
    });
  });

  it('is the test pool where the plan has no live conversions', () => {
    expect(quotaFigure({ ...used, liveIncluded: 0 })).toMatchObject({
      value: '5%',
      detail: '5 of 100 test conversions',
      isBad: false,
    });
  });
});

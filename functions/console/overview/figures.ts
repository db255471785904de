import { durationText } from '../components/durations.ts';
import { countOf, countText } from '../components/quantities.ts';
import type { Deliveries, Reviews, Used } from './overview-answers.ts';

/** The content of a tile. */
export interface Figure {
  readonly value: string;
  readonly detail: string;
  /** True if it needs attention. */
  readonly isBad: boolean;
}

/** One page of runs. */
interface SomeRuns {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

/** Formats the count of a list of which one page is read: `20+`. */
const counted = (items: readonly unknown[], isMore: boolean) => `${countText(items.length)}${isMore ? '+' : ''}`;

export const failedFigure = ({ items, nextCursor }: SomeRuns): Figure => ({
  value: counted(items, items.length > 0 && nextCursor !== undefined),
  detail: 'unresolved, last 24 hours',
  isBad: items.length > 0,
});

/** The age is that of the beginning of a period, so the oldest run is no older. */
export function progressFigure({ periods, reached }: Deliveries, now: number): Figure {
  const since = (time: string) => durationText(Math.max(0, now - Date.parse(time)));
  const count = periods.reduce((sum, { inProgress }) => sum + inProgress, 0);
  const oldest = periods.find(({ inProgress }) => inProgress > 0);
  const detail = oldest === undefined ? 'last 24 hours' : `last 24 hours, oldest: up to ${since(oldest.from)}`;
  return {
    value: `${countText(count)}${reached === undefined ? '' : '+'}`,
    detail: reached === undefined ? detail : `last ${since(reached)} only`,
    isBad: false,
  };
}

export function reviewFigure({ items: [oldest], count: { value, isMore } }: Reviews, now: number): Figure {
  const since = oldest && Date.parse(oldest.review?.requestedAt ?? oldest.createdAt);
  return {
    value: `${countText(value)}${isMore ? '+' : ''}`,
    detail: since === undefined ? 'none waiting' : `oldest: ${durationText(Math.max(0, now - since))}`,
    isBad: false,
  };
}

/** The share from which the quota is likely to run out before the period ends. */
const NEARLY = 0.9;

/** Shows the live conversions if the plan includes any, otherwise the test pool. */
export function quotaFigure({ liveIncluded, liveUsed, liveOverage, testQuota, testUsed }: Used): Figure {
  const [used, all] = liveIncluded > 0 ? [liveUsed, liveIncluded] : [testUsed, testQuota];
  const share = all === 0 ? 0 : used / all;
  const of = `${countText(used)} of ${countOf(all, liveIncluded > 0 ? 'conversion' : 'test conversion')}`;
  return {
    value: `${Math.floor(share * 100)}%`,
    detail: liveOverage > 0 ? `${of}, ${countText(liveOverage)} beyond` : of,
    isBad: share >= NEARLY,
  };
}

/** The number of deliveries of all periods, and of those that failed. */
export function deliverySums(periods: Deliveries['periods']): { readonly all: number; readonly failed: number } {
  const failed = periods.reduce((sum, period) => sum + period.failed, 0);
  return { all: periods.reduce((sum, { completed, inProgress }) => sum + completed + inProgress, failed), failed };
}

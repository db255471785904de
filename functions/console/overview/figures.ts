import { durationText } from '../components/durations.ts';
import { countOf, countText } from '../components/quantities.ts';
import type { Reviews, Used } from './overview-answers.ts';

/** The content of a tile. */
export interface Figure {
  readonly value: string;
  readonly detail: string;
  /** True if it needs attention. */
  readonly isBad: boolean;
}

/** One page of runs. */
interface SomeRuns {
  readonly items: readonly { readonly triggeredAt: string }[];
  readonly nextCursor?: string | undefined;
  /** The time back to which the list was searched, if there are more pages. */
  readonly reached?: string | undefined;
}

/** Formats the count of a list of which one page is read: `20+`. */
const counted = (items: readonly unknown[], isMore: boolean) => `${countText(items.length)}${isMore ? '+' : ''}`;

export const failedFigure = ({ items, nextCursor }: SomeRuns): Figure => ({
  value: counted(items, items.length > 0 && nextCursor !== undefined),
  detail: 'unresolved, last 24 hours',
  isBad: items.length > 0,
});

/** Runs are listed newest first, so if there are more pages the oldest run of this page is not the oldest of all. */
export function waitingFigure({ items, nextCursor, reached }: SomeRuns, now: number): Figure {
  const isMore = items.length > 0 && nextCursor !== undefined;
  const since = (time: string) => durationText(Math.max(0, now - Date.parse(time)));
  const oldest = items.at(-1)?.triggeredAt;
  const none = reached === undefined ? 'none waiting' : `none in the last ${since(reached)}`;
  return {
    value: counted(items, isMore),
    detail: oldest === undefined ? none : `oldest: ${isMore ? 'more than ' : ''}${since(oldest)}`,
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

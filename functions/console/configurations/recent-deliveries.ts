import type { Run } from '../runs/run-answers.ts';

/** The most runs from which the figures are computed. */
export const RECENT_MAX = 50;

/** So many failures in a row are worth a notice. */
const FAILING_MIN = 3;

export interface RecentDeliveries {
  /** The number of runs that have ended. */
  readonly ended: number;
  readonly completed: number;
  /** The share of ended runs that were delivered, as a text: `97.9%`. It is rounded down, so that 100% means all. */
  readonly successRate: string;
  /** Milliseconds from the event to the delivery, with all retries; undefined if nothing was delivered. */
  readonly median: number | undefined;
  readonly percentile95: number | undefined;
  /** The time of the oldest of these runs. */
  readonly since: string;
  /** The newest run, if it and at least two runs before it have failed, with how many in a row. */
  readonly failing: { readonly count: number; readonly newest: Run } | undefined;
}

/** Computes the figures of the newest runs of a configuration, newest first; undefined if none has ended. */
export function recentDeliveries(runs: readonly Run[]): RecentDeliveries | undefined {
  const ended = runs.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
  const [newest] = ended;
  const oldest = ended.at(-1);
  if (!newest || !oldest) return undefined;
  const durations = ended
    .flatMap(({ status, durationMs }) => (status === 'COMPLETED' && durationMs !== null ? [durationMs] : []))
    .toSorted((a, b) => a - b);
  const completed = ended.filter(({ status }) => status === 'COMPLETED').length;
  const firstGood = ended.findIndex(({ status }) => status === 'COMPLETED');
  const count = firstGood < 0 ? ended.length : firstGood;
  return {
    ended: ended.length,
    completed,
    successRate: `${Math.floor((1_000 * completed) / ended.length) / 10}%`,
    median: quantile(durations, 0.5),
    percentile95: quantile(durations, 0.95),
    since: oldest.triggeredAt,
    failing: count >= FAILING_MIN ? { count, newest } : undefined,
  };
}

/** The smallest value that is not below this share of the sorted values. */
const quantile = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];

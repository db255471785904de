import type { Run } from '../runs/run-answers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The lengths of the periods of the chart; the shortest one that needs no more than these bars is taken. */
const LENGTHS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;
const BARS_MAX = 26;

/** The runs that were triggered within one period. */
interface DeliveryPeriod {
  /** The beginning, in milliseconds. */
  readonly at: number;
  readonly completed: number;
  readonly failed: number;
  /** The runs that have not ended. */
  readonly open: number;
}

export interface DeliveryPeriods {
  readonly periods: readonly DeliveryPeriod[];
  /** Milliseconds. */
  readonly length: number;
  /** The time of the oldest run that is counted, if older ones of the last 24 hours are not. */
  readonly since: number | undefined;
  readonly runs: number;
  readonly failed: number;
}

type Delivery = Pick<Run, 'status' | 'triggeredAt'>;

/**
 * Counts the runs of the last 24 hours by hour. If only the newest of them are given, the chart begins with the oldest
 * of these, in shorter periods.
 */
export function deliveryPeriods(runs: readonly Delivery[], isMore: boolean, now: number): DeliveryPeriods {
  const times = runs.map(({ triggeredAt }) => Date.parse(triggeredAt));
  const since = isMore && times.length > 0 ? Math.min(...times) : undefined;
  const from = since ?? now - DAY;
  const length = LENGTHS.find((one) => (now - from) / one <= BARS_MAX - 1) ?? HOUR;
  const first = Math.floor(from / length);
  const count = Math.max(1, Math.floor(now / length) - first + 1);
  const periods = Array.from({ length: count }, (_, at) => {
    const own = runs.filter((_run, index) => Math.floor((times[index] ?? 0) / length) === first + at);
    const completed = own.filter(({ status }) => status === 'COMPLETED').length;
    const failed = own.filter(({ status }) => status === 'FAILED').length;
    return { at: (first + at) * length, completed, failed, open: own.length - completed - failed };
  });
  return { periods, length, since, runs: runs.length, failed: periods.reduce((sum, { failed }) => sum + failed, 0) };
}

import { isoTime } from '#shared/formats/timestamp';
import type { Outcomes, RunFilter } from './run-log.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;
/** The lengths of periods in minutes; the shortest one that needs no more than these periods is taken. */
const LENGTHS = [1, 5, 15, 60, 360, DAY_MINUTES] as const;
const PERIODS_MAX = 26;

interface PeriodCount {
  /** Its beginning. */
  readonly from: string;
  readonly completed: number;
  readonly failed: number;
  readonly inProgress: number;
}

export interface RunCounts {
  readonly periodMinutes: number;
  /** The oldest first. */
  readonly periods: readonly PeriodCount[];
  /** The time down to which runs were counted, if there are too many. */
  readonly reached?: string;
}

/** A period in milliseconds: from `from` on, before `to`. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The interval that is counted: the last 24 hours where nothing else is asked for, with this moment. */
export const countedInterval = ({ from, to }: Pick<RunFilter, 'from' | 'to'>, now: number): Interval => ({
  from: from ?? now - DAY_MINUTES * MINUTE,
  to: to ?? now + 1,
});

/**
 * Counts runs in periods of equal length, which begin at whole multiples of it in UTC. If not all runs of the interval
 * were read, the first period is the one down to which they were.
 */
export function runCounts({ runs, reached }: Outcomes, interval: Interval): RunCounts {
  const from = Math.max(interval.from, reached ?? 0);
  const periodMinutes = lengthOf(interval.to - from);
  const length = periodMinutes * MINUTE;
  const first = Math.floor(from / length);
  const count = Math.max(1, Math.ceil(interval.to / length) - first);
  const counts = Array.from({ length: count }, () => ({ completed: 0, failed: 0, inProgress: 0 }));
  for (const { createdAt, outcome } of runs) {
    const own = counts[Math.floor(createdAt / length) - first];
    if (!own) continue;
    if (outcome === 'COMPLETED') own.completed += 1;
    else if (outcome === 'FAILED') own.failed += 1;
    else own.inProgress += 1;
  }
  return {
    periodMinutes,
    periods: counts.map((own, at) => ({ from: isoTime((first + at) * length), ...own })),
    ...(reached !== undefined && { reached: isoTime(reached) }),
  };
}

/** The length of a period in minutes: whole days if the interval is long. */
function lengthOf(millis: number): number {
  // An interval that begins within a period touches one more.
  const fits = (minutes: number) => millis / (minutes * MINUTE) <= PERIODS_MAX - 1;
  return LENGTHS.find(fits) ?? DAY_MINUTES * Math.ceil(millis / (DAY_MINUTES * MINUTE) / (PERIODS_MAX - 1));
}

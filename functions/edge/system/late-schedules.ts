import type { ScheduleAt } from './system-parts.ts';

/** Records the last run of each schedule, in milliseconds, by the name of the schedule. */
export interface ScheduleRuns {
  last(): Promise<ReadonlyMap<string, number>>;
  record(name: string, at: number): Promise<void>;
}

/** EventBridge calls within the minute; the function records the time for which the call was due. */
const LATE_MILLIS = 2 * 60_000;
/** A pause of the watch itself. Schedules that missed runs during one are not late. */
const PAUSE_MILLIS = 5 * 60_000;

const LAST_WATCH = 'watch';
const WATCHED_SINCE = 'watched-since';

/**
 * Returns the names of the schedules that have not run when they should have. The watch counts a schedule that has never run
 * from the first time that it looks, and all of them from the end of a pause of its own.
 */
export async function lateSchedules(
  schedules: readonly ScheduleAt[],
  runs: ScheduleRuns,
  now: number,
): Promise<readonly string[]> {
  const last = await runs.last();
  const hasPaused = now - (last.get(LAST_WATCH) ?? 0) > PAUSE_MILLIS;
  const since = hasPaused ? now : (last.get(WATCHED_SINCE) ?? now);
  const unknown = schedules.filter(({ name }) => !last.has(name));
  const recorded = [LAST_WATCH, ...(hasPaused ? [WATCHED_SINCE] : []), ...unknown.map(({ name }) => name)];
  await Promise.all(recorded.map((name) => runs.record(name, now)));
  const isLate = ({ name, everyMinutes }: ScheduleAt) =>
    now - Math.max(since, last.get(name) ?? now) > everyMinutes * 60_000 + LATE_MILLIS;
  return schedules.filter(isLate).map(({ name }) => name);
}

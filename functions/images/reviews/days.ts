import { isoTime } from '#shared/formats/timestamp';

const DAY_MILLIS = 86_400_000;
/** The number of days that are counted. */
export const DAYS = 30;
/** The most validations that one call counts, a share of each partition: some ten reads of the index. */
export const ENTRIES_MAX = 50_000;

/** A validation as far as it is counted. */
interface Created {
  readonly createdAt: string;
  readonly status: string;
}

export interface CreatedSince {
  /** Their order does not matter. */
  readonly created: readonly Created[];
  /** The time from which all were read, if older ones were left out. */
  readonly reached?: string;
}

interface DayCount {
  readonly date: string;
  readonly valid: number;
  readonly invalid: number;
  readonly undecided: number;
}

const dateOf = (time: string) => time.slice(0, 10);

/** The first of the days that are counted. */
export const firstDay = (now: number): string => dateOf(isoTime(now - (DAYS - 1) * DAY_MILLIS));

/** The counts of each day until today. A day that was not read to its beginning is left out. */
export function countedDays({ created, reached }: CreatedSince, now: number): DayCount[] {
  const counts = new Map<string, Record<string, number>>();
  for (const { createdAt, status } of created) {
    const date = dateOf(createdAt);
    const day = counts.get(date) ?? {};
    day[status] = (day[status] ?? 0) + 1;
    counts.set(date, day);
  }
  const first = firstDay(now);
  const days = Array.from({ length: DAYS }, (_, n) => dateOf(isoTime(Date.parse(first) + n * DAY_MILLIS)));
  return days
    .filter((date) => reached === undefined || date > dateOf(reached))
    .map((date) => {
      const { valid = 0, invalid = 0, incomplete = 0, pending = 0 } = counts.get(date) ?? {};
      return { date, valid, invalid, undecided: incomplete + pending };
    });
}

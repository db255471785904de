/** Reads when a schedule runs: `rate(5 minutes)` or, in UTC, `cron(0 3 * * ? *)`. */
import { type Cron, LAST_YEAR, parseCron } from './cron.ts';

/** The first time after an instant at which the schedule runs; none when it never runs again. */
export type NextRun = (after: Date) => Date | undefined;

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE };

export function parseSchedule(expression: string): NextRun {
  const [, kind, content = ''] = /^(rate|cron)\((.*)\)$/.exec(expression.trim()) ?? [];
  switch (kind) {
    case 'rate':
      return rate(content);
    case 'cron':
      return cron(parseCron(content));
    default:
      throw new Error(`${expression} is no schedule: it begins with rate or cron.`);
  }
}

function rate(content: string): NextRun {
  const [, count = '', unit = '', plural] = /^(\d+) (minute|hour|day)(s?)$/.exec(content.trim()) ?? [];
  const millis = Number(count) * (UNITS[unit] ?? 0);
  if (millis <= 0 || (count === '1') === (plural === 's')) throw new Error(`rate(${content}) is no rate.`);
  return (after) => new Date(after.getTime() + millis);
}

function cron({ minutes, hours, coversDay }: Cron): NextRun {
  return (after) => {
    for (const { year, month, day } of daysFrom(after)) {
      if (!coversDay(year, month, day)) continue;
      for (const hour of hours) {
        for (const minute of minutes) {
          const at = new Date(Date.UTC(year, month - 1, day, hour, minute));
          if (at > after) return at;
        }
      }
    }
    return undefined;
  };
}

/** Calendar days in UTC, one after the other. */
function* daysFrom(first: Date): Generator<{ year: number; month: number; day: number }> {
  for (let date = first; date.getUTCFullYear() <= LAST_YEAR; date = new Date(date.getTime() + 1440 * MINUTE)) {
    yield { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  }
}

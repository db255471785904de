/** When a schedule runs: `rate(5 minutes)`, `cron(0 3 * * ? *)` or `at(2026-12-24T18:00:00)`. */
import { type Cron, LAST_YEAR, parseCron } from './cron.ts';
import { TimeZone } from './time-zone.ts';

/** The first time after an instant at which the schedule runs; none when it never runs again. */
export type NextRun = (after: Date) => Date | undefined;

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE };

/** @param zone of the IANA database. */
export function parseSchedule(expression: string, zone = 'UTC'): NextRun {
  const [, kind, content = ''] = /^(rate|cron|at)\((.*)\)$/.exec(expression.trim()) ?? [];
  switch (kind) {
    case 'rate':
      return rate(content);
    case 'cron':
      return cron(parseCron(content), new TimeZone(zone));
    case 'at':
      return once(content, new TimeZone(zone));
    default:
      throw new Error(`${expression} is no schedule: it begins with rate, cron or at.`);
  }
}

function rate(content: string): NextRun {
  const [, count = '', unit = '', plural] = /^(\d+) (minute|hour|day)(s?)$/.exec(content.trim()) ?? [];
  const millis = Number(count) * (UNITS[unit] ?? 0);
  if (millis <= 0 || (count === '1') === (plural === 's')) throw new Error(`rate(${content}) is no rate.`);
  return (after) => new Date(after.getTime() + millis);
}

function once(content: string, zone: TimeZone): NextRun {
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(content.trim()) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const at = parts.length > 0 ? zone.instantOf({ year, month, day, hour, minute, second }) : undefined;
  if (!at) throw new Error(`at(${content}) is no time.`);
  return (after) => (at > after ? at : undefined);
}

function cron({ minutes, hours, coversDay }: Cron, zone: TimeZone): NextRun {
  return (after) => {
    const { year, month, day } = zone.localTime(after);
    for (const date of daysFrom(year, month, day)) {
      if (!coversDay(date.year, date.month, date.day)) continue;
      for (const hour of hours) {
        for (const minute of minutes) {
          const instant = zone.instantOf({ ...date, hour, minute, second: 0 });
          if (instant && instant > after) return instant;
        }
      }
    }
    return undefined;
  };
}

/** Calendar days, one after the other. */
function* daysFrom(year: number, month: number, day: number): Generator<{ year: number; month: number; day: number }> {
  for (let date = new Date(Date.UTC(year, month - 1, day)); date.getUTCFullYear() <= LAST_YEAR; ) {
    yield { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    date = new Date(date.getTime() + 1440 * MINUTE);
  }
}

/** Reads when a schedule runs: `rate(5 minutes)` or, in UTC, `cron(0 3 * * ? *)`. */
import { type Cron, parseCron } from './cron.ts';

/** Returns the first time after an instant at which the schedule runs. */
export type NextRun = (after: Date) => Date;

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const UNITS: Readonly<Record<string, number>> = { minute: MINUTE, hour: 60 * MINUTE, day: DAY };

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

function cron({ minutes, hours }: Cron): NextRun {
  const offsets = hours.flatMap((hour) => minutes.map((minute) => (hour * 60 + minute) * MINUTE));
  const [first = 0] = offsets;
  return (after) => {
    const midnight = Math.floor(after.getTime() / DAY) * DAY;
    const offset = offsets.find((one) => midnight + one > after.getTime()) ?? DAY + first;
    return new Date(midnight + offset);
  };
}

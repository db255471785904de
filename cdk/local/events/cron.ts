/** Reads AWS's cron expressions for schedules of every day: the minutes and hours, then `* * ? *`. */

export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
}

interface Field {
  readonly name: string;
  readonly to: number;
}

const MINUTE: Field = { name: 'minutes', to: 59 };
const HOUR: Field = { name: 'hours', to: 23 };

/** Day of month, month, day of week and year, in the two forms that AWS has for every day. */
const EVERY_DAY = ['* * ? *', '? * * *'];

/** @param source the six fields, without `cron()`. */
export function parseCron(source: string): Cron {
  const [minutes = '', hours = '', ...days] = source.trim().split(/\s+/);
  if (days.length !== 4) throw new Error(`cron(${source}) must have six fields.`);
  if (!EVERY_DAY.includes(days.join(' '))) {
    throw new Error(`The local cloud has schedules of every day only, not cron(${source}).`);
  }
  return { minutes: values(minutes, MINUTE), hours: values(hours, HOUR) };
}

/** Returns the values of `*`, or of one or more numbers as in `0,30`, in order. */
function values(source: string, field: Field): number[] {
  if (source === '*') return Array.from({ length: field.to + 1 }, (_, value) => value);
  return source
    .split(',')
    .map((part) => number(part, field))
    .sort((one, other) => one - other);
}

function number(source: string, { name, to }: Field): number {
  const value = Number(source);
  if (/^\d+$/.test(source) && value <= to) return value;
  throw new Error(
    `The local cloud has numbers from 0 to ${to} or * for the ${name} of a cron expression, not ${source}.`,
  );
}

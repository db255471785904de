/** AWS's cron expressions: minutes, hours, day of month, month, day of week, year, in a time zone. */

export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Whether the rule covers a calendar day; the month counts from 1. */
  readonly coversDay: (year: number, month: number, day: number) => boolean;
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const MINUTE: Field = { name: 'minutes', from: 0, to: 59 };
const HOUR: Field = { name: 'hours', from: 0, to: 23 };
const DAY: Field = { name: 'day of month', from: 1, to: 31 };
const MONTH: Field = { name: 'month', from: 1, to: 12, names: MONTHS };
const WEEKDAY: Field = { name: 'day of week', from: 1, to: 7, names: WEEKDAYS };
const YEAR: Field = { name: 'year', from: 1970, to: 2199 };

export const LAST_YEAR = YEAR.to;

/** @param source the six fields, without `cron()`. */
export function parseCron(source: string): Cron {
  const fields = source.trim().split(/\s+/);
  const [minutes = '', hours = '', days = '', months = '', weekdays = '', years = ''] = fields;
  if (fields.length !== 6) throw new Error(`cron(${source}) must have six fields.`);
  if ((days === '?') === (weekdays === '?')) {
    throw new Error(`cron(${source}) must have ? for either the day of month or the day of week.`);
  }
  const inMonth = new Set(values(months, MONTH));
  const inYear = new Set(values(years, YEAR));
  const onDay = days === '?' ? byWeekday(weekdays) : byDay(days);
  return {
    minutes: values(minutes, MINUTE),
    hours: values(hours, HOUR),
    coversDay: (year, month, day) => inYear.has(year) && inMonth.has(month) && onDay(year, month, day),
  };
}

type DayRule = Cron['coversDay'];

const lengthOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** 1 for Sunday. */
const weekdayOf = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;

function byDay(source: string): DayRule {
  if (source === 'L') return (year, month, day) => day === lengthOf(year, month);
  const [, nearest] = /^(\d+)W$/.exec(source) ?? [];
  if (nearest !== undefined) {
    const wanted = single(nearest, DAY);
    return (year, month, day) => day === nearestWorkday(year, month, wanted);
  }
  const days = new Set(values(source, DAY));
  return (_year, _month, day) => days.has(day);
}

/** The working day closest to a day, without leaving its month. */
function nearestWorkday(year: number, month: number, wanted: number): number {
  const length = lengthOf(year, month);
  const day = Math.min(wanted, length);
  const weekday = weekdayOf(year, month, day);
  if (weekday === 7) return day === 1 ? 3 : day - 1;
  if (weekday === 1) return day === length ? day - 2 : day + 1;
  return day;
}

function byWeekday(source: string): DayRule {
  const [, last] = /^([A-Z]+|\d)L$/i.exec(source) ?? [];
  if (last !== undefined) {
    const wanted = single(last, WEEKDAY);
    return (year, month, day) => weekdayOf(year, month, day) === wanted && day + 7 > lengthOf(year, month);
  }
  if (source === 'L') return (year, month, day) => weekdayOf(year, month, day) === 7;
  const [, named, nth] = /^([A-Z]+|\d)#([1-5])$/i.exec(source) ?? [];
  if (named !== undefined) {
    const wanted = single(named, WEEKDAY);
    return (year, month, day) => weekdayOf(year, month, day) === wanted && Math.ceil(day / 7) === Number(nth);
  }
  const weekdays = new Set(values(source, WEEKDAY));
  return (year, month, day) => weekdays.has(weekdayOf(year, month, day));
}

/** `*`, `5`, `1-5`, `MON-FRI`, `0/15`, `1-30/2` and lists of these; in order, each once. */
function values(source: string, field: Field): number[] {
  const found = new Set(source.split(',').flatMap((part) => valuesOfPart(part, field)));
  return [...found].sort((one, other) => one - other);
}

function valuesOfPart(part: string, field: Field): number[] {
  const [range = '', step] = part.split('/');
  const by = step === undefined ? 1 : Number(step);
  if (!Number.isInteger(by) || by < 1 || part.split('/').length > 2) throw malformed(part, field);
  const [from, to] = boundsOf(range, field, step !== undefined);
  const found: number[] = [];
  for (let value = from; value <= to; value += by) found.push(value);
  if (found.length === 0) throw malformed(part, field);
  return found;
}

function boundsOf(range: string, field: Field, hasStep: boolean): [number, number] {
  if (range === '*') return [field.from, field.to];
  const [first = '', last, ...more] = range.split('-');
  if (more.length > 0) throw malformed(range, field);
  const from = single(first, field);
  if (last !== undefined) return [from, single(last, field)];
  return [from, hasStep ? field.to : from];
}

function single(source: string, field: Field): number {
  const named = field.names?.indexOf(source.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + field.from : Number(source);
  if (!/^([A-Z]+|\d+)$/i.test(source) || !Number.isInteger(value) || value < field.from || value > field.to) {
    throw malformed(source, field);
  }
  return value;
}

const malformed = (source: string, { name }: Field) =>
  new Error(`${source} is no value for the ${name} of a cron expression.`);

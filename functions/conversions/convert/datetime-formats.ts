import { ItemRefusal } from '../items/item-refusal.ts';
import { decimalText, readDecimal } from '../values/quantities/decimal.ts';
import { add, compare, divide, multiply, type Rational, rational, subtract } from '../values/quantities/rational.ts';
import { type Instant, inCalendar, instantOf, notATime, type Reading, type Writing, zonedTimeOf } from './instant.ts';

export const DATETIME_FORMATS = ['iso8601', 'date', 'unix', 'unix-ms', 'sql', 'rfc2822', 'http', 'excel'] as const;
export type DatetimeFormat = (typeof DATETIME_FORMATS)[number];

interface Format {
  readonly read: (text: string, reading: Reading) => Instant;
  readonly write: (instant: Instant, writing: Writing) => string;
}

const THOUSAND = rational(1_000n);
const DAY = rational(86_400n);

const FORMATS: Readonly<Record<DatetimeFormat, Format>> = {
  iso8601: { read: readIso('iso8601'), write: writeIso },
  date: {
    read: readIso('date'),
    write: (instant, writing) => zonedTimeOf(instant, 0, floor(writing)).time.toFormat('yyyy-MM-dd'),
  },
  unix: { read: readCount('unix', rational(1n)), write: ({ seconds }, writing) => decimalText(seconds, writing) },
  'unix-ms': {
    read: readCount('unix-ms', THOUSAND),
    write: ({ seconds }, writing) => decimalText(multiply(seconds, THOUSAND), writing),
  },
  sql: { read: readIso('sql'), write: writeSql },
  rfc2822: {
    read: readMail('rfc2822'),
    write: (instant, writing) => zonedTimeOf(instant, 0, writing).time.toRFC2822() ?? '',
  },
  http: { read: readMail('http'), write: (instant, writing) => zonedTimeOf(instant, 0, writing).time.toHTTP() ?? '' },
  excel: { read: readExcel, write: writeExcel },
};

export const readDatetime = (text: string, format: DatetimeFormat, reading: Reading): Instant =>
  FORMATS[format].read(text, reading);

export const writeDatetime = (instant: Instant, format: DatetimeFormat, writing: Writing): string =>
  FORMATS[format].write(instant, writing);

const floor = (writing: Writing): Writing => ({ ...writing, rounding: 'down' });

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,60}))?)? ?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

function readIso(format: DatetimeFormat): Format['read'] {
  return (text, reading) => {
    const match = ISO.exec(text);
    if (!match || (format === 'date' && match[4] !== undefined)) throw notATime(text, format);
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1, 7)
      .map((part) => Number(part ?? 0));
    const local = { year, month, day, hour, minute, second, fraction: match[7] ?? '', offset: match[8] };
    return instantOf(local, text, reading);
  };
}

function writeIso(instant: Instant, writing: Writing): string {
  const { time, fraction } = zonedTimeOf(instant, writing.precision, writing);
  return `${time.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${decimals(fraction)}${time.offset === 0 ? 'Z' : time.toFormat('ZZ')}`;
}

/** Writes a time as databases do, without its zone. */
function writeSql(instant: Instant, writing: Writing): string {
  const { time, fraction } = zonedTimeOf(instant, writing.precision, writing);
  return `${time.toFormat('yyyy-MM-dd HH:mm:ss')}${decimals(fraction)}`;
}

const decimals = (fraction: string): string => (fraction === '' ? '' : `.${fraction}`);

function readCount(format: DatetimeFormat, perSecond: Rational): Format['read'] {
  return (text) => {
    const count = readDecimal(text);
    if (typeof count === 'string') throw notATime(text, format);
    return { seconds: inCalendar(divide(count, perSecond)) };
  };
}

function readMail(format: 'rfc2822' | 'http'): Format['read'] {
  return (text, { luxon: { DateTime } }) => {
    const time = format === 'http' ? DateTime.fromHTTP(text) : DateTime.fromRFC2822(text, { setZone: true });
    if (!time.isValid) throw notATime(text, format);
    return {
      seconds: inCalendar(rational(BigInt(time.toSeconds()))),
      ...(format === 'rfc2822' && { offset: time.zoneName }),
    };
  };
}

/** Day 0 of Excel, which counts a 29 February 1900 that did not exist. */
const EXCEL_ZERO = rational(-2_209_161_600n);
const EXCEL_FIRST = rational(61n);

function readExcel(text: string, reading: Reading): Instant {
  const days = readDecimal(text);
  if (typeof days === 'string') throw notATime(text, 'excel');
  if (compare(days, EXCEL_FIRST) < 0) throw beforeExcel();
  const seconds = inCalendar(add(multiply(days, DAY), EXCEL_ZERO));
  const { time, fraction } = zonedTimeOf({ seconds }, undefined, { ...reading, timezone: 'UTC', rounding: 'down' });
  const { year, month, day, hour, minute, second } = time;
  return instantOf({ year, month, day, hour, minute, second, fraction, offset: undefined }, text, reading);
}

function writeExcel(instant: Instant, writing: Writing): string {
  const { time } = zonedTimeOf(instant, 0, floor(writing));
  const local = add(instant.seconds, rational(BigInt(time.offset) * 60n));
  const days = divide(subtract(local, EXCEL_ZERO), DAY);
  if (compare(days, EXCEL_FIRST) < 0) throw beforeExcel();
  return decimalText(days, writing);
}

const beforeExcel = (): ItemRefusal =>
  new ItemRefusal(
    'unsupported-conversion',
    'Excel counts days from 1 March 1900 as the calendar does; before that it has a 29 February 1900.',
  );

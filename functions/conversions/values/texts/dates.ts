import { quoteForMessage } from '../../items/item-refusal.ts';
import type { Conventions } from './conventions.ts';
import { monthOf } from './month-names.ts';
import { ambiguous, type Reading, read, unreadable } from './reading.ts';
import { plainText } from './tidy.ts';

const CHARACTERS_MAX = 60;

/** ISO 8601, with less than a day or with a time. Such text is this service's own form and stays unchanged. */
const YEAR_OR_MONTH = /^(\d{4})(?:-(\d{2}))?$/;
const DAY =
  /^(\d{4})-(\d{2})-(\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?$/;

const YEAR_FIRST = /^(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2})[.日]?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{2})$/;
const MONTH_AND_YEAR = /^(\d{1,2}) ?[/.] ?(\d{4})$/;
const WEEKDAY = /^\p{L}{2,12}\.?, /u;
const DAY_AND_NAME = /^(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?(?: de)?[ -]([\p{L}\p{M}]{3,15})\.?(?: de|,)?[ -](\d{4})$/u;
const NAME_AND_DAY = /^([\p{L}\p{M}]{3,15})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u;
const NAME_AND_YEAR = /^([\p{L}\p{M}]{3,15})\.?(?: de)? (\d{4})$/u;

const TIME = /^(.{4,}?)(?:, ?| )(\d{1,2}):(\d{2})(:\d{2})?(?: ?([ap])\.?m\.?)?$/i;

/**
 * Reads a date in common notations as ISO 8601, with its time if it has one. Of two numbers before a year, the caller's
 * locale determines which is the day, unless only one is possible. Nothing is added: no zone, no century, and no day to
 * a month.
 */
export function readDate(text: string, conventions?: Conventions): Reading<string> {
  const written = plainText(text);
  if (written.length > CHARACTERS_MAX) return unreadable('The text is too long for a date.');
  const [, date, hour = '', minute = '', second = '', half] = TIME.exec(written) ?? [];
  if (date === undefined) return dateOf(written, conventions);
  const time = timeOf({ hour: Number(hour), half: half?.toLowerCase() }, `:${minute}${second}`);
  const reading = dateOf(date, conventions);
  if (reading.kind === 'unreadable' || time === undefined) return none(text);
  if (reading.kind === 'ambiguous')
    return { ...reading, candidates: reading.candidates.map((day) => `${day}T${time}`) };
  return DAY.test(`${reading.value}T${time}`) ? read(`${reading.value}T${time}`, reading.confidence) : none(text);
}

/** `2 pm` is 14 o'clock, and `12 am` is 0 o'clock. */
function timeOf(
  { hour, half }: { readonly hour: number; readonly half: string | undefined },
  rest: string,
): string | undefined {
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return `${padded(hours)}${rest}`;
}

function dateOf(written: string, conventions: Conventions | undefined): Reading<string> {
  return (
    iso(written) ?? yearFirst(written) ?? yearLast(written, conventions) ?? named(written, conventions) ?? none(written)
  );
}

const none = (text: string): Reading<string> =>
  unreadable(`${quoteForMessage(text)} is not a date. Write it as YYYY-MM-DD.`);

function iso(text: string): Reading<string> | undefined {
  const [, year, month] = YEAR_OR_MONTH.exec(text) ?? [];
  if (year !== undefined) return month === undefined ? read(text) : checked(text, text, Number(month), 1);
  const parts = DAY.exec(text);
  return parts ? checked(text, text, Number(parts[2]), Number(parts[3])) : undefined;
}

function yearFirst(text: string): Reading<string> | undefined {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? [];
  return year === undefined ? undefined : dayText(text, { year, month: Number(month), day: Number(day) });
}

function yearLast(text: string, conventions: Conventions | undefined): Reading<string> | undefined {
  const [, onlyMonth, itsYear] = MONTH_AND_YEAR.exec(text) ?? [];
  if (itsYear !== undefined) {
    const month = Number(onlyMonth);
    return checked(text, `${itsYear}-${padded(month)}`, month, 1);
  }
  const [, first = '', , second = '', year = ''] = YEAR_LAST.exec(text) ?? [];
  if (year === '') return undefined;
  const readings = { 'day-first': [second, first], 'month-first': [first, second] } as const;
  const possible = new Map(
    Object.entries(readings).flatMap(([order, [month, day]]) => {
      const parts = { year, month: Number(month), day: Number(day) };
      return exists(parts) ? [[order, parts] as const] : [];
    }),
  );
  const dates = [...new Map([...possible.values()].map((parts) => [isoDay(parts), parts])).values()];
  const [only] = dates;
  if (only === undefined) return noSuchDay(text);
  if (year.length === 2) {
    const candidates = dates.flatMap((parts) =>
      ['19', '20'].map((century) => isoDay({ ...parts, year: century + year })),
    );
    return ambiguous(`The year of ${quoteForMessage(text)} has no century. Write it as YYYY-MM-DD.`, candidates);
  }
  const chosen = possible.get(conventions?.dayMonthOrder ?? '');
  if (dates.length === 1) return read(isoDay(only), chosen || !conventions?.dayMonthOrder ? 'high' : 'medium');
  if (chosen) return read(isoDay(chosen));
  const detail = `${quoteForMessage(text)} may start with the day or with the month. Set locale, or write it as YYYY-MM-DD.`;
  return ambiguous(detail, dates.map(isoDay).sort());
}

function named(text: string, conventions: Conventions | undefined): Reading<string> | undefined {
  const date = text.replace(WEEKDAY, '');
  const [, dayBefore, nameAfter] = DAY_AND_NAME.exec(date) ?? [];
  const [, nameBefore, dayAfter] = NAME_AND_DAY.exec(date) ?? [];
  const [, nameAlone] = NAME_AND_YEAR.exec(date) ?? [];
  const month = monthOf(nameAfter ?? nameBefore ?? nameAlone ?? '', conventions?.language);
  if (month === undefined) return undefined;
  const year = date.slice(-4);
  const day = dayBefore ?? dayAfter;
  return day === undefined ? read(`${year}-${padded(month)}`) : dayText(text, { year, month, day: Number(day) });
}

interface Day {
  readonly year: string;
  readonly month: number;
  readonly day: number;
}

const padded = (value: number): string => String(value).padStart(2, '0');
const isoDay = ({ year, month, day }: Day): string => `${year}-${padded(month)}-${padded(day)}`;

/** A year of two digits counts as leap year where either century would make it one. */
function exists({ year, month, day }: Day): boolean {
  const full = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (month < 1 || month > 12 || day < 1) return false;
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(full, month, 0);
  return day <= date.getUTCDate();
}

function dayText(text: string, parts: Day): Reading<string> {
  return exists(parts) ? read(isoDay(parts)) : noSuchDay(text);
}

function checked(text: string, iso: string, month: number, day: number): Reading<string> {
  return exists({ year: iso.slice(0, 4), month, day }) ? read(iso) : noSuchDay(text);
}

const noSuchDay = (text: string): Reading<string> =>
  unreadable(`There is no day ${quoteForMessage(text)} in the calendar.`);

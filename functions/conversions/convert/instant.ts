import type * as Luxon from 'luxon';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import { powerOfTen, type RoundingOptions, readDecimal, roundedWhole } from '../values/quantities/decimal.ts';
import { add, compare, type Rational, rational } from '../values/quantities/rational.ts';

/** A moment, to any fraction of a second. */
export interface Instant {
  /** Seconds since 1970 in UTC. */
  readonly seconds: Rational;
  /** The offset that the text named, as luxon names fixed zones: `UTC+2`. */
  readonly offset?: string;
}

export interface Reading {
  readonly luxon: typeof Luxon;
  /** The time zone of texts that name no offset. */
  readonly timezone: string | undefined;
}

export interface Writing extends RoundingOptions {
  readonly luxon: typeof Luxon;
  readonly timezone: string;
}

/** The parts of a local time in a text. Absent parts have their first value. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the point of the second. */
  readonly fraction: string;
  /** `Z`, `+02:00`, `-0500`; undefined where the text names none. */
  readonly offset: string | undefined;
}

/** The calendar of every format here has four digits of year. */
const YEAR_ONE = -62_135_596_800n;
const YEAR_TEN_THOUSAND = 253_402_300_800n;

export function inCalendar(seconds: Rational): Rational {
  if (compare(seconds, rational(YEAR_ONE)) >= 0 && compare(seconds, rational(YEAR_TEN_THOUSAND)) < 0) return seconds;
  throw new ItemRefusal('unparseable-value', 'The time is not in the years 1 to 9999.');
}

export const notATime = (text: string, format: string): ItemRefusal =>
  new ItemRefusal('unparseable-value', `${quoteForMessage(text)} is no time in the format ${format}.`);

/** The moment of a local time. Refused if the clock skips that time or shows it twice, or if the zone is unknown. */
export function instantOf(local: LocalTime, text: string, { luxon, timezone }: Reading): Instant {
  const zone = local.offset === undefined ? timezone : fixedZone(local.offset, text);
  if (zone === undefined) {
    throw new ItemRefusal(
      'ambiguous-value',
      `${quoteForMessage(text)} names no offset. Send the timezone that it is in.`,
      {
        pointer: '/timezone',
      },
    );
  }
  const { year, month, day, hour, minute, second } = local;
  const time = luxon.DateTime.fromObject({ year, month, day, hour, minute, second }, { zone });
  if (!time.isValid || year < 1)
    throw new ItemRefusal('unparseable-value', `There is no time ${quoteForMessage(text)} in the calendar.`);
  if (time.hour !== hour || time.minute !== minute) {
    throw new ItemRefusal(
      'unparseable-value',
      `${quoteForMessage(text)} does not exist in ${zone}, where the clock skips it.`,
    );
  }
  const [first, ...others] = time.getPossibleOffsets();
  if (first && others.length > 0) {
    const candidates = [first, ...others].map((each) => each.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ"));
    throw new ItemRefusal(
      'ambiguous-value',
      `${quoteForMessage(text)} occurs twice in ${zone}. Send it with its offset.`,
      {
        candidates,
      },
    );
  }
  const seconds = add(rational(BigInt(time.toSeconds())), fractionOf(local.fraction));
  return { seconds: inCalendar(seconds), ...(local.offset !== undefined && { offset: zone }) };
}

function fractionOf(digits: string): Rational {
  const read = readDecimal(`0.${digits}0`);
  return typeof read === 'string' ? rational(0n) : read;
}

/** The largest offset of any clock from UTC, in minutes. */
const OFFSET_HOURS_MAX = 18;

function fixedZone(offset: string, text: string): string {
  if (/^z$/i.test(offset)) return 'UTC';
  const [, sign = '+', hours = '', minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  if (Number(hours) > OFFSET_HOURS_MAX || Number(minutes) > 59) {
    throw new ItemRefusal('unparseable-value', `${quoteForMessage(text)} has an offset that no clock has.`);
  }
  return `UTC${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

/** A moment cut to digits of a second, as the clock of a zone shows it. */
export interface ZonedTime {
  readonly time: Luxon.DateTime;
  /** Digits after the point of the second; empty where there are none. */
  readonly fraction: string;
}

/** Cuts a moment to `places` digits of the second; undefined keeps all digits. */
export function zonedTimeOf(
  { seconds }: Instant,
  places: number | undefined,
  { luxon, timezone, rounding }: Writing,
): ZonedTime {
  const digits = places ?? digitsOf(seconds);
  const scale = powerOfTen(digits);
  // Counted from the year 1 the number is never negative, so that rounding down goes back in time.
  const sinceYearOne = add(seconds, rational(-YEAR_ONE));
  const units = roundedWhole({ ...sinceYearOne, numerator: sinceYearOne.numerator * scale }, rounding);
  const whole = units / scale + YEAR_ONE;
  inCalendar(rational(whole));
  const fraction = digits === 0 ? '' : String(units % scale).padStart(digits, '0');
  return { time: luxon.DateTime.fromSeconds(Number(whole), { zone: timezone }), fraction };
}

/** The number of digits of the fraction. In every format here they are finite. */
function digitsOf({ numerator, denominator }: Rational): number {
  let digits = 0;
  for (let rest = numerator % denominator; rest !== 0n; rest = (rest * 10n) % denominator) digits++;
  return digits;
}

/** Turns values into the terms that are compared. Both the index and queries use it, so that they cannot disagree. */

const ZERO = 48;
const NINE = 57;
const LOWER_A = 97;
const LOWER_Z = 122;

/** The lower-case letter or digit of each ASCII code unit; 0 for a separator. */
export const ASCII_IN_WORDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const lower = String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  return (lower >= LOWER_A && lower <= LOWER_Z) || (lower >= ZERO && lower <= NINE) ? lower : 0;
});

/**
 * The words of a text: lower case, runs of letters and digits of any script. Accents count; those that are characters of
 * their own are joined with their letters, as vowel signs are. Stored segments have the terms of this rule: another rule
 * needs all of them built anew.
 */
export function words(text: string): string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    // The Unicode tables determine what a letter is beyond ASCII.
    if (code > 127) return lower.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
    if (ASCII_IN_WORDS[code] !== 0) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      words.push(lower.slice(start, at));
      start = -1;
    }
  }
  if (start !== -1) words.push(start === 0 ? lower : lower.slice(start));
  return words;
}

/** The most words of a title that is indexed whole: nobody types more. */
const TITLE_WORDS_MAX = 8;

/** The term of a whole title by its words; undefined for one that is not indexed. */
export const titleTerm = (title: readonly string[]): string | undefined =>
  title.length === 0 || title.length > TITLE_WORDS_MAX ? undefined : title.join(' ');

/** The one term of a keyword or boolean value: all of it, without case. */
export function keywordTerm(value: string): string {
  return value.toLowerCase();
}

export interface DateInterval {
  /** First millisecond since the epoch. */
  readonly from: number;
  /** Last millisecond since the epoch. */
  readonly to: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The time a full or partial date names: `2020`, `2020-03`, `2020-03-04`, `2020-03-04T05`, … to the second, in UTC or
 * with an offset. A fraction of a second is read and dropped, because records keep whole seconds.
 */
export function dateInterval(text: string): DateInterval | undefined {
  const year = digits(text, 0, 4);
  if (year === -1) return undefined;
  if (text.length === 4) return { from: dayNumber(year, 1, 1) * DAY_MS, to: dayNumber(year + 1, 1, 1) * DAY_MS - 1 };

  const month = text[4] === '-' ? digits(text, 5, 2) : -1;
  const daysInMonth = monthDays(year, month);
  if (daysInMonth === 0) return undefined;
  const monthStart = dayNumber(year, month, 1);
  if (text.length === 7) return { from: monthStart * DAY_MS, to: (monthStart + daysInMonth) * DAY_MS - 1 };

  const day = text[7] === '-' ? digits(text, 8, 2) : -1;
  if (day < 1 || day > daysInMonth) return undefined;
  const midnight = (monthStart + day - 1) * DAY_MS;
  if (text.length === 10) return { from: midnight, to: midnight + DAY_MS - 1 };

  return text[10] === 'T' || text[10] === ' ' ? timeInterval(text, midnight) : undefined;
}

/** Continues after the date: hours, then minutes and seconds where given, then the offset. */
function timeInterval(text: string, midnight: number): DateInterval | undefined {
  const hour = digits(text, 11, 2);
  if (hour === -1 || hour > 23) return undefined;
  let from = midnight + hour * HOUR_MS;
  let span = HOUR_MS;
  let at = 13;
  for (const unit of [MINUTE_MS, SECOND_MS]) {
    if (text[at] !== ':') break;
    const count = digits(text, at + 1, 2);
    if (count === -1 || count > 59) return undefined;
    from += count * unit;
    span = unit;
    at += 3;
  }
  if (span === SECOND_MS && text[at] === '.') at = fractionEnd(text, at + 1);
  const offset = offsetMs(text, at);
  return offset === undefined ? undefined : { from: from - offset, to: from - offset + span - 1 };
}

/** The end of the digits that begin at `start`; without a digit, an offset that no caller accepts. */
function fractionEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at === start ? start - 1 : at;
}

/** Accepts nothing, `Z`, `+05:30`, `+0530` or `+05` up to the end of the text. */
function offsetMs(text: string, at: number): number | undefined {
  if (at === text.length) return 0;
  const sign = text[at];
  if (sign === 'Z') return at + 1 === text.length ? 0 : undefined;
  if (sign !== '+' && sign !== '-') return undefined;
  const hours = digits(text, at + 1, 2);
  const minutesAt = text[at + 3] === ':' ? at + 4 : at + 3;
  const minutes = at + 3 === text.length ? 0 : digits(text, minutesAt, 2);
  if (hours === -1 || hours > 23 || minutes === -1 || minutes > 59) return undefined;
  if (at + 3 !== text.length && minutesAt + 2 !== text.length) return undefined;
  const offset = hours * HOUR_MS + minutes * MINUTE_MS;
  return sign === '+' ? offset : -offset;
}

/** The number that exactly `count` digits at `start` write, or -1. */
function digits(text: string, start: number, count: number): number {
  if (start + count > text.length) return -1;
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return -1;
    value = value * 10 + code - ZERO;
  }
  return value;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Days of the month, or 0 when there is no such month. */
function monthDays(year: number, month: number): number {
  if (month === 2 && isLeap(year)) return 29;
  return MONTH_DAYS[month - 1] ?? 0;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/**
 * Days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day comes last;
 * `Date.UTC` is slower and maps the years 0 to 99 to the twentieth century.
 */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719468;
}

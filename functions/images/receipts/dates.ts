import type { Box, Ocr, Page, Word } from '../ocr/ocr.ts';
import type { GreyImage } from '../pictures/grey-image.ts';
import type { Quad } from '../pictures/homography.ts';
import type { Locale } from './locales.ts';
import { boxAround, type Row, rowsOf } from './rows.ts';
import { joined, placeOf, type ReadSheet } from './sheets.ts';

/** A day such as `2018-03-05`. */
type Day = string;

export interface DateMatch {
  readonly day: Day;
  /** A higher value is more likely to be the day of the purchase. */
  readonly worth: number;
  /** The recogniser's confidence in the least certain word of the date, from 0 to 100. */
  readonly confidence: number;
  readonly box: Box;
  /** The index of its row. */
  readonly at: number;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const D = '[0-9OoIl|]';
const CENTURY = '2[0Oo]';
/** A number within a word is part of a code, as in `HC03-7-15`, unless the word is a label. */
const START = '(?<=^|[^0-9A-Za-z.,]|[Dd][Aa][Tt][Ee])';
const MONTH_NAMES = MONTHS.join('|');
const MONTH = `(${MONTH_NAMES})[A-Z]{0,6}`;
const NUMBERS = new RegExp(`${START}(${D}{1,2}) ?[/.-] ?(${D}{1,2}) ?[/.-] ?(${CENTURY}${D}{2}|${D}{2})(?![0-9])`, 'g');
/** Matches print with faint separators: `27 03 2018`, `1503/2018`. */
const BROKEN = new RegExp(`${START}(${D}{2})[ /.:'-]{0,3}(${D}{2})[ /.:'-]{1,3}(${CENTURY}${D}{2})(?![0-9])`, 'g');
const YEAR_FIRST = new RegExp(`(?<![0-9])(${CENTURY}${D}{2}) ?[/.-] ?(${D}{1,2}) ?[/.-] ?(${D}{1,2})(?![0-9])`, 'g');
const DAY_MONTH = new RegExp(
  `(?<![0-9])(${D}{1,2})[ /.,'-]*${MONTH}[ /.,'-]*(${CENTURY}${D}{2}|${D}{2})(?![0-9])`,
  'gi',
);
const MONTH_DAY = new RegExp(`(?<![A-Z])${MONTH}[ /.'-]*(${D}{1,2}),?[ /.'-]*(${CENTURY}${D}{2})(?![0-9])`, 'gi');
const COMPACT = /(?<![0-9])(20[0-3][0-9])([01][0-9])([0-3][0-9])(?![0-9])/g;
const TIME = /\b\d{1,2}[:.]\d{2}([:.]\d{2})?(?!\d)/;

/** Finds dates in the rows, the most likely first. */
export function datesOf(rows: readonly Row[], locale: Locale): DateMatch[] {
  const matches = rows.flatMap((row, at) => {
    const { text } = row;
    const labelled = /\bDATE\b|\bTARIKH\b/i.test(text) ? 3 : 0;
    const timed = TIME.test(text) ? 1 : 0;
    const other = /\b(EXP|EXPIRY|VALID|UNTIL|BEFORE|DUE|SINCE)\b/i.test(text) ? -4 : 0;
    return daysIn(text, locale).map(({ day, worth, from, to }) => {
      const words = wordsIn(row, from, to);
      return {
        day,
        worth: worth + labelled + timed + other - at / (rows.length * 10),
        confidence: Math.min(...words.map(({ confidence }) => confidence)),
        box: boxAround(words),
        at,
      };
    });
  });
  return matches.sort((a, b) => b.worth - a.worth);
}

/** A day, and its position in the text. */
interface DaySpan {
  readonly day: Day;
  readonly worth: number;
  readonly from: number;
  readonly to: number;
}

function daysIn(text: string, { dayFirst }: Locale): DaySpan[] {
  const spotted = (pattern: RegExp, worth: number, day: (groups: string[]) => Day | undefined): DaySpan[] =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, ...groups] = match;
      const date = day(groups);
      return date === undefined ? [] : [{ day: date, worth, from: match.index, to: match.index + whole.length }];
    });
  const numbered = (first = '', second = '', year = '') =>
    dayFirst ? dayOf(year, second, first) : dayOf(year, first, second);
  // If one order gives no valid day, the other one is meant.
  const numbers = spotted(NUMBERS, 3, ([a, b, year]) => numbered(a, b, year) ?? numbered(b, a, year));
  const broken = spotted(BROKEN, 1, ([a, b, year]) => numbered(a, b, year));
  return [
    ...(numbers.length > 0 ? numbers : broken),
    ...spotted(YEAR_FIRST, 3, ([year = '', month = '', day = '']) => dayOf(year, month, day)),
    ...spotted(DAY_MONTH, 4, ([day = '', month = '', year = '']) => dayOf(year, monthNumber(month), day)),
    ...spotted(MONTH_DAY, 4, ([month = '', day = '', year = '']) => dayOf(year, monthNumber(month), day)),
    ...spotted(COMPACT, 1, ([year = '', month = '', day = '']) => dayOf(year, month, day)),
  ];
}

/** The words of a row between two positions of its text. */
function wordsIn({ words }: Row, from: number, to: number): Word[] {
  let start = 0;
  return words.filter(({ text }) => {
    const holds = start < to && start + text.length > from;
    start += text.length + 1;
    return holds;
  });
}

const monthNumber = (name: string) => String(MONTHS.indexOf(name.slice(0, 3).toUpperCase()) + 1);

const numberOf = (text: string) => Number(text.replace(/[Oo]/g, '0').replace(/[IiLl|]/g, '1'));

/** The day, if the calendar has it and it is recent enough for a receipt. */
function dayOf(yearText: string, monthText: string, dayText: string): Day | undefined {
  const [short, month, day] = [numberOf(yearText), numberOf(monthText), numberOf(dayText)];
  const year = short < 100 ? 2000 + short : short;
  if (year < 2010 || year > 2039 || month < 1 || month > 12 || day < 1) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The margins of a close-up of a date, as shares of the height of its print. */
const MARGIN_X = 0.2;
const MARGIN_Y = 0.05;

/** Matches text where a date would be: digits between strokes, or eight digits that end with a year. */
const DATE_LIKE =
  /\d{1,2}[/.-]\d{1,2}[/.-][\dA-Za-z]{2}|(?<!\d)[0-3]\d[01]\d20[123]\d(?!\d)|\d{1,2}[/-]\d{2,4}[/-]?20[123]\d/;

/** Matches what accompanies a date: its label, a time, a year, or the name of a month beside a number. */
const HINT = new RegExp(
  `\\b(?:DATE|TARIKH|DATUM)\\b|\\b\\d{1,2}:\\d{2}\\b|\\b20[123]\\d\\b|\\d[ .'-]?(?:${MONTH_NAMES})|\\b(?:${MONTH_NAMES})[A-Z]{0,6}[ .]{0,2}\\d`,
  'i',
);

/** True if rows without a date may contain one that could not be read. */
export const hintsAtDate = (rows: readonly Row[]): boolean =>
  rows.some(({ text }) => DATE_LIKE.test(text) || HINT.test(text));

export interface DateCheckParts {
  readonly ocr: Ocr;
  /** Enlarges the same few words in several ways. */
  readonly closeUps: (page: GreyImage, quad: Quad) => Promise<readonly GreyImage[]>;
}

/** Reads the date from its close-ups until time runs out. An entry is undefined if it shows no date. */
export async function daysInCloseUps(
  sheets: readonly ReadSheet[],
  locale: Locale,
  { ocr, closeUps, until }: DateCheckParts & { readonly until: number },
): Promise<readonly (string | undefined)[]> {
  const box = boxOfDate(rowsOf(joined(sheets).words), locale);
  if (!box) return [];
  const height = box.bottom - box.top;
  const { page, corners } = placeOf(sheets, {
    left: box.left - MARGIN_X * height,
    right: box.right + MARGIN_X * height,
    top: box.top - MARGIN_Y * height,
    bottom: box.bottom + MARGIN_Y * height,
  });
  const { opened } = sheets.find((sheet) => sheet.page === page)!;
  const [a, b, c, d] = corners.map(([x, y]) => ({ x: x * opened.width, y: y * opened.height }));
  const images = a && b && c && d ? await closeUps(opened, [a, b, c, d]) : [];
  const days: (string | undefined)[] = [];
  for (const image of images) {
    const timeLimitMs = until - performance.now();
    if (timeLimitMs <= 0) break;
    days.push(dayIn(await ocr.read(image, { line: true, timeLimitMs }), locale));
  }
  return days;
}

function boxOfDate(rows: readonly Row[], locale: Locale): Box | undefined {
  const [date] = datesOf(rows, locale);
  if (date) return date.box;
  const words = rows.flatMap((row) => row.words.filter(({ text }) => DATE_LIKE.test(text)));
  return words[0] && boxAround([words[0]]);
}

function dayIn(page: Page | undefined, locale: Locale): string | undefined {
  return page && datesOf(rowsOf(page.words), locale)[0]?.day;
}

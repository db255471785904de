import type { Box } from '../ocr/ocr.ts';
import { OTHER_TITLES } from './countries/phrases.ts';
import type { DateMatch } from './dates.ts';
import { holds, lettersOf } from './labels.ts';
import type { Locale } from './locales.ts';
import { boxAround, type Row } from './rows.ts';

/** The name is above the address, within this many rows. */
const HEAD_ROWS = 10;
const LETTERS_MIN = 4;

export interface FoundStore {
  readonly name: string;
  /** The mean confidence in its words, from 0 to 100. */
  readonly confidence: number;
  readonly box: Box;
}

/** The store's name as the head of the receipt prints it. */
export function storeOf(rows: readonly Row[], locale: Locale): FoundStore | undefined {
  const head = rows.slice(0, HEAD_ROWS);
  const companyRow = head.findIndex(
    (row) => isName(row) && holdsAny(row, locale.companyWords) && !isAddress(row, locale),
  );
  if (companyRow >= 0) return wholeName(head, companyRow, locale);
  const first = head.findIndex((row) => isName(row) && confidenceOf(row) > 60 && !isAddress(row, locale));
  return first < 0 ? undefined : wholeName(head, first, locale);
}

/** Names break after `&`, and before the legal form of a company on a line of its own. */
function wholeName(head: readonly Row[], at: number, locale: Locale): FoundStore {
  const row = head[at]!;
  const name = trimmed(row.text);
  const [above, below] = [head[at - 1], head[at + 1]];
  const goesOn = below && (/[&(,-]$/.test(name) || isForm(trimmed(below.text), locale));
  if (goesOn) return inRows([row, below]);
  const form = lettersOf(name).every((word) => locale.companyWords.includes(word));
  return form && above && isName(above) ? inRows([above, row]) : inRows([row]);
}

const inRows = (rows: readonly Row[]): FoundStore => ({
  name: rows.map(({ text }) => trimmed(text)).join(' '),
  confidence: rows.reduce((sum, row) => sum + confidenceOf(row), 0) / rows.length,
  box: boxAround(rows.flatMap(({ words }) => words)),
});

/** True if a row is nothing but the title of another paper. Receipts say `NO REFUND` in rows of more words. */
export const titledOtherwise = (rows: readonly Row[]): boolean =>
  rows.some(({ text }) => {
    const words = lettersOf(text);
    return OTHER_TITLES.some((title) => words.length <= title.split(' ').length && holds(words, title.split(' ')));
  });

function isForm(text: string, { companyForms }: Locale): boolean {
  const words = lettersOf(text);
  return words.length > 0 && words.every((word) => companyForms.includes(word));
}

const holdsAny = ({ text }: Row, phrases: readonly string[]) => {
  const words = lettersOf(text);
  return phrases.some((phrase) => holds(words, lettersOf(phrase)));
};

function isAddress(row: Row, locale: Locale): boolean {
  const words = lettersOf(row.text).join(' ');
  return locale.addressWords.some((word) => ` ${words} `.includes(` ${word} `)) || /\d{5}/.test(unregistered(row.text));
}

function isName({ text }: Row): boolean {
  const name = unregistered(text);
  const letters = name.replace(/[^A-Za-z]/g, '').length;
  return letters >= LETTERS_MIN && letters > name.replace(/\s/g, '').length / 2;
}

function confidenceOf({ words }: Row): number {
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
}

const trimmed = (text: string) => unregistered(text).replace(/^[^A-Za-z0-9(]+|[^A-Za-z0-9).&]+$/g, '');

/** Removes the company's registration number, which often follows its name. */
const unregistered = (text: string) => text.replace(/ ?[({[]? ?\d{4,7} ?[-~—.]? ?[A-Z]? ?[)}\]]?\W*$/, '');

const CLOCK = /(?<![\d:./-])([01]?\d|2[0-3])[:.]([0-5]\d)(?:[:.][0-5]\d)? ?([AP])?\.?(?:M\b)?/gi;
const TIME_LABEL = /\bTIME\b|\bMASA\b/i;
const ROWS_AROUND_DATE = 2;

/** The time of the purchase, such as `14:22`: beside its label, or near the date. */
export function timeOf(rows: readonly Row[], date: DateMatch | undefined): string | undefined {
  const near = date ? [0, -1, 1, -ROWS_AROUND_DATE, ROWS_AROUND_DATE].map((apart) => rows[date.at + apart]) : [];
  const labelled = rows.filter(({ text }) => TIME_LABEL.test(text));
  for (const row of [near[0], ...labelled, ...near.slice(1)]) {
    const times = row === undefined ? [] : timesIn(row.text);
    // Two times in one row are opening hours.
    if (times.length === 1) return times[0];
  }
  return undefined;
}

function timesIn(text: string): string[] {
  return [...text.matchAll(CLOCK)].flatMap(([whole, hours = '', minutes = '', half]) => {
    // With a point it may be an amount.
    if (!whole.includes(':') && half === undefined) return [];
    const hour = Number(hours);
    const late = half?.toUpperCase() === 'P' && hour < 12 ? 12 : 0;
    const midnight = half?.toUpperCase() === 'A' && hour === 12 ? -12 : 0;
    return [`${String(hour + late + midnight).padStart(2, '0')}:${minutes}`];
  });
}

/** Labels for the number of a sale, those of the sale itself before those of its paper. */
const NUMBER_LABELS = [
  'TRANSACTION|TRANS|TRXN?|TRN|TXN',
  'RECEIPT|RCPT|SLIP|RESIT',
  'INVOICE|INV|BILL|CHECK|DOCUMENT|DOC|ORDER',
];
const NUMBER_PATTERNS = NUMBER_LABELS.map(
  (labels) =>
    new RegExp(`\\b(?:${labels})\\b[ .]{0,2}(?:NO|NUM|NUMBER|ID|#)?\\b[ .:;#-]*([A-Z0-9][A-Z0-9/-]{2,23})\\b`, 'i'),
);

/** The number of the sale, if it has a label. */
export function numberOf(rows: readonly Row[]): string | undefined {
  for (const pattern of NUMBER_PATTERNS) {
    const number = rows.map(({ text }) => pattern.exec(text)?.[1]).find((candidate) => /\d{2}/.test(candidate ?? ''));
    if (number !== undefined) return number.toUpperCase();
  }
  return undefined;
}

/** The address is in the head, within this many rows. */
const ADDRESS_ROWS = 14;

/** States and postal codes in the head of the receipt, each once. */
export function regionsOf(rows: readonly Row[], { regions }: Locale): string[] {
  const text = rows
    .slice(0, ADDRESS_ROWS)
    .map((row) =>
      row.text
        .toUpperCase()
        .replace(/[^A-Z0-9 ]+/g, ' ')
        .replace(/ +/g, ' '),
    )
    .join(' | ');
  const matches = regions.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((group) => group !== undefined)),
  );
  return [...new Set(matches)];
}

import type { Word } from '../ocr/ocr.ts';
import type { Locale } from './locales.ts';
import type { Row } from './rows.ts';

/** An amount of money in a row, in cents. */
export interface Amount {
  readonly cents: number;
  /** The index of the word at which the amount starts. */
  readonly at: number;
}

const DIGIT_OF: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  D: '0',
  Q: '0',
  I: '1',
  l: '1',
  L: '1',
  '|': '1',
  i: '1',
  S: '5',
  s: '5',
  B: '8',
  Z: '2',
  C: '0',
  '¢': '0',
};
const LOOKS_LIKE_DIGIT = '[0-9OoDQIl|iSsBZ]';
/** A trailing capital L would mean litres: `1.5L`. */
const WHOLE = new RegExp(`^(?:L|${LOOKS_LIKE_DIGIT}){1,3}(?:[,.]?${LOOKS_LIKE_DIGIT}{3})*$`);
/** The edge of the paper often cuts off the last zero. */
const CENTS = new RegExp(`^(?:C|${LOOKS_LIKE_DIGIT})(?:[C¢]|${LOOKS_LIKE_DIGIT})$`);
/** Wide print splits an amount after its point: `49.` before `40`. */
const BROKEN_OFF = /\d[.,]$/;
const CENTS_ALONE = /^[0-9OoD]{2}[A-Z*]?$/;
const SIGNS_BEFORE = /^[-~—–(+]+/;
/** Larger numbers belong to cards or documents. */
const CENTS_MAX = 100_000_000;

/** Finds the amounts with two decimals, from left to right. */
export function amountsOf(row: Row, locale: Locale): Amount[] {
  return row.words.flatMap(({ text }, at) => {
    const next = row.words[at + 1]?.text ?? '';
    const whole = BROKEN_OFF.test(text) && CENTS_ALONE.test(next) ? `${text}${next}` : text;
    const cents = centsOf(whole, locale);
    return cents === undefined ? [] : [{ cents, at }];
  });
}

/** Returns 1234 for `RM12.34`, `12,34` or `l2.34*`; undefined if the text is no amount with two decimals. */
export function centsOf(text: string, { currencyMarks, taxLetterLike, taxCodes = [] }: Locale): number | undefined {
  const trimmed = text.replace(/^[^\w$|+(~—–-]+|[^\w|)¢-]+$/g, '');
  const code = taxCodes.find((letters) => trimmed.endsWith(letters)) ?? '';
  const bare = trimmed.slice(0, trimmed.length - code.length);
  const [before, rest] = withoutMark(bare.replace(SIGNS_BEFORE, ''), currencyMarks);
  const signed = `${bare.slice(0, 2)}${before}`;
  const negative = /[-~—–]/.test(signed) || /\d-$/.test(bare);
  // A letter after the amount is a tax code.
  const amount =
    taxLetterLike !== undefined && rest.endsWith(taxLetterLike) ? rest.replace(/(\.\d{2})\d$/, '$1') : rest;
  const [, whole = '', cents = ''] = /^(.*)[.,](.{2})[A-Z*)-]{0,2}$/.exec(amount) ?? [];
  if (!/\d/.test(whole + cents) || !WHOLE.test(whole) || !CENTS.test(cents)) return undefined;
  const value = Number(digits(whole) + digits(cents));
  return value > CENTS_MAX ? undefined : negative ? -value : value;
}

/** A dollar sign is often read as an S, which would otherwise pass for a 5. */
const DOLLAR = /^S(?=\d)/;

/** Splits off the currency mark: the characters between it and the number, and the number. */
function withoutMark(text: string, marks: readonly string[]): [string, string] {
  const misread = marks.includes('$') ? DOLLAR.exec(text)?.[0] : undefined;
  const mark = marks.find((sign) => text.toUpperCase().startsWith(sign)) ?? misread ?? '';
  const rest = text.slice(mark.length);
  const number = rest.replace(/^[-~—–.:]+/, '');
  return [rest.slice(0, rest.length - number.length), number];
}

function digits(text: string): string {
  return text.replace(/[,.]/g, '').replace(/\D/g, (letter) => DIGIT_OF[letter] ?? letter);
}

/** The amount at the end of a row that lost its point: `80 91`. */
export function splitAmount({ words }: Row): number | undefined {
  const [whole, cents] = words.slice(-2);
  if (!whole || !cents || !/^\D{0,2}\d{1,4}$/.test(whole.text) || !/^\d{2}$/.test(cents.text)) return undefined;
  const near = cents.box.left - whole.box.right < heightOf(whole);
  return near ? Number(whole.text.replace(/\D/g, '') + cents.text) : undefined;
}

const heightOf = ({ box }: Word) => box.bottom - box.top;

/** A column needs this many amounts above each other. */
const COLUMN_MIN = 2;
/** An amount may end this far from the edge of the column, in heights of its word. */
const ASTRAY = 1.2;
/** Parts of one amount are closer than this, in heights of a word. */
const GAP = 1.3;
/** A price is followed by a tax code at most. */
const CODE = /^[^\d]{1,3}$/;
const POINTLESS = /^(\D{0,3}[\dOo]{1,4})([\dOo]{2})([A-Z§*]{0,3})$/;
const BEFORE_POINT = /^\D{0,3}[\dOo]{1,4}[.,]?$/;
const BEHIND_POINT = /^[.,]?([\dOo]{2})([A-Z§*]{0,3})$/;
/** Matches a tax code that was misread as a third decimal. */
const THREE_DECIMALS = /^(\D{0,3}\d{1,4}[.,]\d{2})\d$/;
/** A year or a time at the end of a row is no price. */
const NO_PRICE = /\bDATE\b|\bTIME\b|\d[/-]\d|\d:\d\d|[A-Z]{3} ?20[123]\d\b/i;

/**
 * Restores lost decimal points, which faint print loses first. A number that ends exactly where prices end gets its
 * point back: `1410` and `14 10` become `14.10`. Arithmetic must confirm the guess.
 */
export function withPoints(rows: readonly Row[], locale: Locale): readonly Row[] {
  const edges = rows.flatMap((row) => {
    const amount = amountsOf(row, locale).at(-1);
    const word = amount && row.words[amount.at];
    return word ? [digitsEnd(word)] : [];
  });
  if (edges.length < COLUMN_MIN) return rows;
  const edge = edges.sort((a, b) => a - b)[Math.floor(edges.length / 2)]!;
  return rows.map((row) => restored(row, edge, locale));
}

function restored(row: Row, edge: number, locale: Locale): Row {
  const { words } = row;
  const last = words.findLastIndex(({ text }) => !CODE.test(text));
  const word = words[last];
  if (!word || NO_PRICE.test(row.text) || (amountsOf(row, locale).at(-1)?.at ?? -1) >= last) return row;
  if (Math.abs(digitsEnd(word) - edge) > ASTRAY * heightOf(word)) return row;
  const before = words[last - 1];
  const cents = BEHIND_POINT.exec(word.text);
  const joins =
    before && cents && BEFORE_POINT.test(before.text) && word.box.left - before.box.right < GAP * heightOf(word);
  if (joins) {
    const text = `${before.text.replace(/[.,]$/, '')}.${cents[1]}${cents[2]}`;
    const joined = { ...word, text, box: { ...word.box, left: before.box.left } };
    return rowOf([...words.slice(0, last - 1), joined, ...words.slice(last + 1)]);
  }
  const text = word.text.replace(POINTLESS, '$1.$2$3').replace(THREE_DECIMALS, '$1');
  return text === word.text ? row : rowOf([...words.slice(0, last), { ...word, text }, ...words.slice(last + 1)]);
}

const rowOf = (words: readonly Word[]): Row => ({ words, text: words.map(({ text }) => text).join(' ') });

/** The position at which the digits of a word end and a code's letters start. */
function digitsEnd({ text, box }: Word): number {
  const letters = /[^\d]*$/.exec(text)?.[0].length ?? 0;
  return box.right - ((box.right - box.left) * letters) / Math.max(1, text.length);
}

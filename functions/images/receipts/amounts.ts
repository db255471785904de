import type { Word } from '../ocr/ocr.ts';
import type { Locale } from './locales.ts';
import type { Row } from './rows.ts';

/** An amount of money that a row shows, in cents. */
export interface Amount {
  readonly cents: number;
  /** Position among the words of the row at which it begins. */
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
/** A capital L at the end would be litres: `1.5L`. */
const WHOLE = new RegExp(`^(?:L|${LOOKS_LIKE_DIGIT}){1,3}(?:[,.]?${LOOKS_LIKE_DIGIT}{3})*$`);
/** The last zero is often cut off by the edge of the paper. */
const CENTS = new RegExp(`^${LOOKS_LIKE_DIGIT}(?:[C¢]|${LOOKS_LIKE_DIGIT})$`);
/** `49.` before `40`: wide print parts an amount behind its point. */
const BROKEN_OFF = /\d[.,]$/;
const CENTS_ALONE = /^[0-9OoD]{2}[A-Z*]?$/;
const SIGNS_BEFORE = /^[-~—–(+]+/;
/** More is a number of a card or a document. */
const CENTS_MAX = 100_000_000;

/** Amounts with two decimals, from left to right. */
export function amountsOf(row: Row, locale: Locale): Amount[] {
  return row.words.flatMap(({ text }, at) => {
    const next = row.words[at + 1]?.text ?? '';
    const whole = BROKEN_OFF.test(text) && CENTS_ALONE.test(next) ? `${text}${next}` : text;
    const cents = centsOf(whole, locale);
    return cents === undefined ? [] : [{ cents, at }];
  });
}

/** 1234 for `RM12.34`, `12,34` or `l2.34*`; undefined for what is no amount with two decimals. */
export function centsOf(text: string, { currencyMarks, taxLetterLike }: Locale): number | undefined {
  const bare = text.replace(/^[^\w$|+(~—–-]+|[^\w|)¢-]+$/g, '');
  const [before, rest] = withoutMark(bare.replace(SIGNS_BEFORE, ''), currencyMarks);
  const signed = `${bare.slice(0, 2)}${before}`;
  const negative = /[-~—–]/.test(signed) || /\d-$/.test(bare);
  // A letter behind the amount is the code of its tax.
  const amount =
    taxLetterLike !== undefined && rest.endsWith(taxLetterLike) ? rest.replace(/(\.\d{2})\d$/, '$1') : rest;
  const [, whole = '', cents = ''] = /^(.*)[.,](.{2})[A-Z*)-]{0,2}$/.exec(amount) ?? [];
  if (!/\d/.test(whole + cents) || !WHOLE.test(whole) || !CENTS.test(cents)) return undefined;
  const value = Number(digits(whole) + digits(cents));
  return value > CENTS_MAX ? undefined : negative ? -value : value;
}

/** Signs between the mark of the currency and the number, and the number. */
function withoutMark(text: string, marks: readonly string[]): [string, string] {
  const mark = marks.find((sign) => text.toUpperCase().startsWith(sign)) ?? '';
  const rest = text.slice(mark.length);
  const number = rest.replace(/^[-~—–.:]+/, '');
  return [rest.slice(0, rest.length - number.length), number];
}

function digits(text: string): string {
  return text.replace(/[,.]/g, '').replace(/\D/g, (letter) => DIGIT_OF[letter] ?? letter);
}

/** The amount at the end of a row whose point was lost: `80 91`. */
export function splitAmount({ words }: Row): number | undefined {
  const [whole, cents] = words.slice(-2);
  if (!whole || !cents || !/^\D{0,2}\d{1,4}$/.test(whole.text) || !/^\d{2}$/.test(cents.text)) return undefined;
  const near = cents.box.left - whole.box.right < heightOf(whole);
  return near ? Number(whole.text.replace(/\D/g, '') + cents.text) : undefined;
}

const heightOf = ({ box }: Word) => box.bottom - box.top;

/** Fewer amounts above each other are no column. */
const COLUMN_MIN = 2;
/** How far from the edge of the column an amount may end, in heights of its word. */
const ASTRAY = 1.2;
/** Parts of one amount stand closer than this, in heights of a word. */
const GAP = 1.3;
/** Behind a price stands at most the code of its tax. */
const CODE = /^[^\d]{1,3}$/;
const POINTLESS = /^(\D{0,3}[\dOo]{1,4})([\dOo]{2})([A-Z§*]{0,3})$/;
const BEFORE_POINT = /^\D{0,3}[\dOo]{1,4}[.,]?$/;
const BEHIND_POINT = /^[.,]?([\dOo]{2})([A-Z§*]{0,3})$/;
/** The code of a tax, misread as a third decimal. */
const THREE_DECIMALS = /^(\D{0,3}\d{1,4}[.,]\d{2})\d$/;
/** A year or a time at the end of a row is no price. */
const NO_PRICE = /\bDATE\b|\bTIME\b|\d[/-]\d|\d:\d\d|[A-Z]{3} ?20[123]\d\b/i;

/**
 * Faint print loses its smallest signs first. Where a number ends exactly where prices end, the point that every price
 * has is put back: `1410` becomes `14.10`, and so does `14 10`. It is a guess that arithmetic must confirm.
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

/** Where the digits of a word end, before the letters of a code. */
function digitsEnd({ text, box }: Word): number {
  const letters = /[^\d]*$/.exec(text)?.[0].length ?? 0;
  return box.right - ((box.right - box.left) * letters) / Math.max(1, text.length);
}

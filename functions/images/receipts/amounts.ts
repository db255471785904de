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

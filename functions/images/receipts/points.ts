import type { Word } from '../ocr/ocr.ts';
import { amountsOf } from './amounts.ts';
import type { Locale } from './locales.ts';
import type { Row } from './rows.ts';

/** Fewer amounts above each other are no column. */
const COLUMN_MIN = 2;
/** How far from the edge of the column an amount may end, in heights of its word. */
const ASTRAY = 1.2;
/** Parts of one amount stand closer than this, in heights of a word. */
const GAP = 1.3;
/** Behind a price stands at most the code of its tax. */
const CODE = /^[^\d]{1,3}$/;
const POINTLESS = /^(\D{0,3}[\dOo]{1,4})([\dOo]{2})([A-Z§*]{0,3})$/;
const WHOLE = /^\D{0,3}[\dOo]{1,4}[.,]?$/;
const CENTS = /^[.,]?([\dOo]{2})([A-Z§*]{0,3})$/;
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
  const cents = CENTS.exec(word.text);
  const joins = before && cents && WHOLE.test(before.text) && word.box.left - before.box.right < GAP * heightOf(word);
  if (joins) {
    const text = `${before.text.replace(/[.,]$/, '')}.${cents[1]}${cents[2]}`;
    const joined = { ...word, text, box: { ...word.box, left: before.box.left } };
    return rowOf([...words.slice(0, last - 1), joined, ...words.slice(last + 1)]);
  }
  const text = word.text.replace(POINTLESS, '$1.$2$3').replace(THREE_DECIMALS, '$1');
  return text === word.text ? row : rowOf([...words.slice(0, last), { ...word, text }, ...words.slice(last + 1)]);
}

const rowOf = (words: readonly Word[]): Row => ({ words, text: words.map(({ text }) => text).join(' ') });

const heightOf = ({ box }: Word) => box.bottom - box.top;

/** Where the digits of a word end, before the letters of a code. */
function digitsEnd({ text, box }: Word): number {
  const letters = /[^\d]*$/.exec(text)?.[0].length ?? 0;
  return box.right - ((box.right - box.left) * letters) / Math.max(1, text.length);
}

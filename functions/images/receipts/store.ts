import type { Box } from '../ocr/ocr.ts';
import { holds, lettersOf } from './labels.ts';
import type { Locale } from './locales.ts';
import { boxAround, type Row } from './rows.ts';

/** The name stands above the address, within this many rows. */
const HEAD_ROWS = 10;
const LETTERS_MIN = 4;

export interface FoundStore {
  readonly name: string;
  readonly box: Box;
}

/** The name of the store as the head of the receipt prints it. */
export function storeOf(rows: readonly Row[], locale: Locale): FoundStore | undefined {
  const head = rows.slice(0, HEAD_ROWS);
  const named = head.findIndex((row) => isName(row) && holdsAny(row, locale.companyWords) && !isAddress(row, locale));
  if (named >= 0) return wholeName(head, named, locale);
  const first = head.findIndex((row) => isName(row) && confidenceOf(row) > 60 && !isAddress(row, locale));
  return first < 0 ? undefined : wholeName(head, first, locale);
}

/** Names are broken after `&`, and before a form of company that stands alone. */
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
  box: boxAround(rows.flatMap(({ words }) => words)),
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

/** Without the number under which the company is registered, which often stands behind its name. */
const unregistered = (text: string) => text.replace(/ ?[({[]? ?\d{4,7} ?[-~—.]? ?[A-Z]? ?[)}\]]?\W*$/, '');

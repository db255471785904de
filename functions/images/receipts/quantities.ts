import type { Box, Word } from '../ocr/ocr.ts';
import { type Amount, centsOf } from './amounts.ts';
import type { Locale } from './locales.ts';
import type { Row } from './rows.ts';

/** The number of pieces of a line, and its price. */
export interface Counted {
  readonly quantity: number;
  /** The price of the line in cents. */
  readonly price: number;
  /** A number in the row that may be another quantity, although nothing proves it. */
  readonly perhaps?: number | undefined;
}

const QUANTITY_MAX = 999;

/** Column heads above quantities, which narrow print glues to their neighbours: `QTYITEM`. */
const QUANTITY_HEAD = /QTY|QUANTITY|MENGE|ANZAHL|^(?:QTE|QTA|CANT|UDS)/i;

/** The horizontal extents of column heads that say quantity. */
export function quantityColumns(rows: readonly Row[]): readonly Extent[] {
  return rows.flatMap(({ words }) =>
    words.flatMap(({ text, box }) => {
      const head = QUANTITY_HEAD.exec(text);
      return head && !/\d/.test(text) ? [partOf(box, text, head.index, head.index + head[0].length)] : [];
    }),
  );
}

interface CountContext {
  /** See `quantityColumns`. */
  readonly columns: readonly Extent[];
  readonly locale: Locale;
}

/**
 * The quantity and price of a row. A number is a quantity if it times another amount of the row is the price, or if it
 * is in a column that says so. Other numbers are positions, sizes and misread ones as often.
 */
export function counted(row: Row, amounts: readonly Amount[], { columns, locale }: CountContext): Counted {
  const cents = amounts.map((amount) => amount.cents);
  const product = exactProduct(row, amounts, locale) ?? roundedProduct(row, amounts);
  if (product) return product;
  const price = cents.at(-1)!;
  const before = row.words.slice(0, amounts[0]!.at);
  const inColumn = columns.flatMap((column) => before.flatMap((word) => numberIn(word, column) ?? []))[0];
  if (inColumn !== undefined) return { price, quantity: inColumn };
  // Two equal amounts are the price of one piece and of the line.
  if (cents.slice(0, -1).includes(price)) return { price, quantity: 1 };
  const perhaps = [leading(before), trailing(before, amounts.length > 1)].find((number) => number > 1);
  return { price, quantity: 1, perhaps };
}

const leading = ([word]: readonly Word[]): number =>
  Number(/^(\d{1,2})(?:[xX*]?$|(?=[A-Za-z]))/.exec(word?.text ?? '')?.[1] ?? 1);

/**
 * The last number before the price, if a price of one piece follows, if it stands apart, or if it has a sign. `95` in
 * `FUEL 95` belongs to the name.
 */
function trailing(words: readonly Word[], isPriced: boolean): number {
  const at = words.findLastIndex(({ text }) => !TAX_CODE.test(text));
  const [neighbour, word] = [words[at - 1], words[at]];
  const [, before, digits, behind] = /^([xX*]?)(\d{1,3})([xX*@]?)$/.exec(word?.text ?? '') ?? [];
  if (!word || !neighbour || digits === undefined) return 1;
  const isApart = word.box.left - neighbour.box.right > word.box.bottom - word.box.top;
  return isPriced || isApart || before || behind ? Number(digits) : 1;
}

const TAX_CODE = /^[A-Z]{1,3}$/i;

/** Numbers with more digits are codes. */
const NUMBER = /^[xX*@(]?(\d{1,3})(?!\d)/;
const TIMES = /^(.*\d[.,]\d{2})[xX*](\d{1,3})$/;

/** A price that is a number of the row times an amount of it. Narrow print glues the number to the name: `5PVC PLUG`. */
function exactProduct({ words }: Row, amounts: readonly Amount[], locale: Locale): Counted | undefined {
  const cents = amounts.map((amount) => amount.cents);
  const times = words.flatMap(({ text }) => {
    const [, unit = '', number] = TIMES.exec(text) ?? [];
    return number === undefined ? [] : [{ unit: centsOf(unit, locale), quantity: Number(number) }];
  });
  const units = [...cents, ...times.flatMap(({ unit }) => unit ?? [])];
  const quantities = [
    ...times.map(({ quantity }) => quantity),
    ...words.flatMap(({ text }, index) => {
      if (amounts.some(({ at }) => at === index)) return [];
      const [, digits = ''] = NUMBER.exec(text) ?? [];
      return Array.from(digits, (_, at) => Number(digits.slice(0, at + 1)));
    }),
    // An amount is itself times 1.00, which makes it no price.
    ...(cents.includes(100) ? [] : cents.filter((value) => value % 100 === 0).map((value) => value / 100)),
  ].filter((quantity) => Number.isInteger(quantity) && quantity > 1 && quantity <= QUANTITY_MAX);
  for (const price of cents.toReversed()) {
    const quantity = quantities.find((one) => units.some((unit) => unit !== price && unit * one === price));
    if (quantity !== undefined) return { price, quantity };
  }
  return undefined;
}

/** The number before a rounded price of one piece, if no other number of pieces would cost as much. */
function roundedProduct({ words }: Row, amounts: readonly Amount[]): Counted | undefined {
  const price = amounts.at(-1)!.cents;
  const quantity = Number(/^\d{1,3}$/.exec(words[amounts[0]!.at - 1]?.text ?? '')?.[0] ?? 0);
  const isOnly = ({ cents }: Amount) =>
    cents > 0 && Math.ceil(price / (cents + 0.5)) === quantity && Math.floor(price / (cents - 0.5)) === quantity;
  return quantity > 1 && amounts.slice(0, -1).some(isOnly) ? { price, quantity } : undefined;
}

/** From left to right, in pixels of the page. */
export interface Extent {
  readonly left: number;
  readonly right: number;
}

/** The number that a word starts with, if it is below the head of the column. */
function numberIn({ text, box }: Word, column: Extent): number | undefined {
  const [number, digits] = /^([1-9]\d{0,2})(?:[.,]0+)?(?!\d)/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const { left, right } = partOf(box, text, 0, number.length);
  return left < column.right && right > column.left ? Number(digits) : undefined;
}

function partOf({ left, right }: Box, { length }: string, from: number, to: number): Extent {
  const each = (right - left) / length;
  return { left: left + from * each, right: left + to * each };
}

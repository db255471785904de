import type { Box } from '../ocr/ocr.ts';
import { type Amount, amountsOf } from './amounts.ts';
import { labelOf } from './labels.ts';
import type { Locale } from './locales.ts';
import { type Counted, counted, type Extent, quantityColumns } from './quantities.ts';
import { boxAround, type Row } from './rows.ts';
import type { LabelledRow } from './summary.ts';

export interface Item {
  readonly name: string;
  readonly quantity: number;
  /** True if the row shows a number that may be another quantity. */
  readonly isQuantityUnsure?: boolean | undefined;
  /** The price of the line in cents. */
  readonly price: number;
  readonly code: string | undefined;
  /** The box around the rows of the price and the name. */
  readonly box: Box;
}

const CODE = /^\d{8,14}$/;
const LETTERS_MIN = 3;
const TAX_CODE = /^[A-Z]{1,3}[.,:;)]?$/i;

interface PriceRow extends Counted {
  readonly at: number;
  readonly name: string;
  readonly code: string | undefined;
}

/** The name of a row that repeats the price of the only item without its tax. */
const SUM_NAME = /^AMOUNT$/i;

/** Items end at the first line of the sum. */
const ENDS = new Set([
  'subtotal',
  'tax',
  'service',
  'total',
  'rounded-total',
  'count',
  'rounding',
  'tender',
  'tax-summary',
]);

/** Finds the items. A name may be on the row of its price, above it, or below it. */
export function itemsOf(rows: readonly Row[], labelled: readonly LabelledRow[], locale: Locale): Item[] {
  const end = labelled.find(({ label, cents }) => ENDS.has(label) && cents !== undefined)?.at ?? rows.length;
  const headers = labelled.filter(({ label, at }) => label === 'header' && at < end);
  const start = (headers.at(-1)?.at ?? -1) + 1;
  // A discount without its sign would be added to the prices that it reduces.
  const discounts = labelled.filter(({ label }) => label === 'discount').map(({ at }) => at);
  const firstPrice = rows.findIndex((row, at) => at >= start && amountsOf(row, locale).length > 0);
  const columns = quantityColumns(rows.slice(0, Math.max(0, Math.min(firstPrice, end))));
  const candidates = rows
    .slice(start, end)
    .flatMap((row, at) => priceRow(row, { at: start + at, columns, locale }) ?? [])
    .filter(({ at, price }) => price < 0 || !discounts.includes(at));
  const printed = labelled.filter(({ label }) => label === 'count').flatMap(({ at }) => numbersIn(rows[at]!));
  const prices = withCount(withoutDetails(candidates, rows), printed);
  const first = prices[0];
  if (!first) return [];
  const free = (at: number) => at >= start && at < end && !prices.some((price) => price.at === at) && isText(rows[at]!);
  // Names are below their prices if only the column heads are above the first price.
  const below = headers.length > 0 && first.at === start;
  return prices.map(({ at, name, perhaps, ...item }) => {
    const beside = lettersIn(name) >= LETTERS_MIN ? name : undefined;
    const [near, far] = below ? [at + 1, at - 1] : [at - 1, at + 1];
    const elsewhere = beside === undefined ? [near, far].find(free) : undefined;
    const nameRow = elsewhere === undefined ? undefined : rows[elsewhere]!;
    const box = boxAround([...rows[at]!.words, ...(nameRow?.words ?? [])]);
    const unsure = perhaps === undefined ? {} : { isQuantityUnsure: true };
    return { ...item, ...unsure, name: (beside ?? nameRow?.text ?? name).trim(), box };
  });

  function isText(row: Row): boolean {
    return lettersIn(row.text) >= LETTERS_MIN && labelOf(row.text, locale) === undefined;
  }
}

/** Matches `3 @ 2.94` on a row of its own, followed by `EA` at most. */
const COUNTED = /^(\d{1,3}) ?[@xX*] ?\$? ?(\d{1,5})[.,](\d{2})(?: ?EA(?:CH)?)?$/i;
/** Matches `0.55 lb @ 9.99 /lb`, whatever the unit was read as. */
const MEASURED = /[@x].*\d[.,]\d{2,3} ?\/ ?\w{1,3}$/i;

/** Rows that only explain the price above or below are no items. They give that row its quantity. */
function withoutDetails(prices: readonly PriceRow[], rows: readonly Row[]): PriceRow[] {
  const itemRows = prices.filter(({ at }) => !COUNTED.test(rows[at]!.text) && !MEASURED.test(rows[at]!.text));
  const quantities = new Map<PriceRow, number>();
  const strays: PriceRow[] = [];
  for (const [here, { text }] of rows.entries()) {
    const [, count, whole, cents] = COUNTED.exec(text) ?? [];
    if (count === undefined) continue;
    const above = itemRows.findLast(({ at }) => at < here);
    const below = itemRows.find(({ at }) => at > here);
    const paid = Number(count) * Number(`${whole}${cents}`);
    const owner = [above, below].find((near) => near?.price === paid && !quantities.has(near));
    if (owner) quantities.set(owner, Number(count));
    else strays.push(...prices.filter(({ at }) => at === here));
  }
  const owners = itemRows.map((row) => {
    const quantity = quantities.get(row);
    return quantity === undefined ? row : { ...row, quantity, perhaps: undefined };
  });
  return [...owners, ...strays].sort((a, b) => a.at - b.at);
}

/** The numbers in the rows are quantities if they add up to the printed number of pieces. */
function withCount(prices: readonly PriceRow[], printed: readonly number[]): readonly PriceRow[] {
  const pieces = prices.reduce((sum, { quantity, perhaps = quantity }) => sum + perhaps, 0);
  if (!printed.includes(pieces)) return prices;
  return prices.map(({ perhaps, ...row }) => ({ ...row, quantity: perhaps ?? row.quantity }));
}

const numbersIn = ({ words }: Row) => words.flatMap(({ text }) => (/^\d{1,4}$/.test(text) ? [Number(text)] : []));

const lettersIn = (text: string) => text.replace(/[^A-Za-z]/g, '').length;

interface PriceRowContext {
  readonly at: number;
  readonly columns: readonly Extent[];
  readonly locale: Locale;
}

function priceRow(row: Row, { at, columns, locale }: PriceRowContext): PriceRow | undefined {
  const amounts = amountsOf(row, locale);
  const last = amounts.at(-1);
  if (!last || !endsRow(row, last)) return undefined;
  const before = row.words.slice(0, amounts[0]!.at).map(({ text }) => text);
  const code = before.find((word) => CODE.test(word));
  const words = before.filter((word) => word !== code);
  const count = counted(row, amounts, { columns, locale });
  // Nothing would prove a price of 0.00, and most are notes: `Item Discount 0.00`, `Points 0.00`.
  if (count.price === 0 || SUM_NAME.test(words.join('').replace(/[^A-Za-z]/g, ''))) return undefined;
  const name = words
    .join(' ')
    .replace(/^\d{1,3} (?=\D)|[ xX@]*\b\d{1,3} ?[xX@*]? ?$/g, '')
    // A quantity that was read as a dash, and the sign before a price of one piece.
    .replace(/^[-–—] (?=\p{L})|(?<=\p{L}) @$/gu, '');
  return { ...count, at, name, code };
}

/** True if the amount is followed by a tax code at most. */
const endsRow = ({ words }: Row, { at }: Amount) =>
  words.slice(at + 1).every(({ text }) => text.length <= 3 || TAX_CODE.test(text));

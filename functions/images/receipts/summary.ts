import type { Box } from '../ocr/ocr.ts';
import { amountsOf, splitAmount } from './amounts.ts';
import { labelOf } from './labels.ts';
import type { Label, Locale } from './locales.ts';
import { boxAround, type Row } from './rows.ts';

/** A row with its meaning and the amount beside its label. */
export interface LabelledRow {
  readonly at: number;
  readonly label: Label;
  readonly cents: number | undefined;
  /** The box around the amount, or around the whole row if it has none. */
  readonly box: Box;
}

/** The amounts at the foot of a receipt, in cents. */
export interface Summary {
  readonly subtotal?: number | undefined;
  readonly tax?: number | undefined;
  readonly service?: number | undefined;
  readonly discount?: number | undefined;
  readonly rounding?: number | undefined;
  readonly cash?: number | undefined;
  readonly change?: number | undefined;
  /** The printed totals, those after rounding first. */
  readonly totals: readonly number[];
  /** Amounts at the foot in rows without a known label. */
  readonly loose: readonly number[];
  /** True if a line says that the total is rounded. */
  readonly rounded: boolean;
}

export function labelledRows(rows: readonly Row[], locale: Locale): LabelledRow[] {
  return rows.flatMap((row, at) => {
    const label = labelOf(row.text, locale);
    return label === undefined ? [] : [{ at, label, ...amountBeside(rows, at, locale) }];
  });
}

/** The last amount of the row, or that of the next row if it consists of nothing else. */
function amountBeside(rows: readonly Row[], at: number, locale: Locale): Pick<LabelledRow, 'cents' | 'box'> {
  const row = rows[at]!;
  const own = lastAmount(row, locale);
  if (own) return own;
  const next = rows[at + 1];
  const below = next && !/[A-Za-z]{3}/.test(next.text) ? amountsOf(next, locale).at(-1) : undefined;
  return below
    ? { cents: below.cents, box: boxAround(next!.words.slice(below.at)) }
    : { cents: undefined, box: boxAround(row.words) };
}

function lastAmount(row: Row, locale: Locale): { readonly cents: number; readonly box: Box } | undefined {
  const whole = amountsOf(row, locale).at(-1);
  if (whole) return { cents: whole.cents, box: boxAround(row.words.slice(whole.at)) };
  const split = splitAmount(row);
  return split === undefined ? undefined : { cents: split, box: boxAround(row.words.slice(-2)) };
}

/** Cash rounding is less than this, in cents. */
const ROUNDING_MAX = 10;

/** Labels of the sum. A tax summary below them repeats amounts per rate, in the same words. */
const SUM_LINES = new Set<Label>(['subtotal', 'total', 'rounded-total', 'tender']);

export function summaryOf(labelled: readonly LabelledRow[], rows: readonly Row[], locale: Locale): Summary {
  const sumAt = labelled.find(({ label, cents }) => SUM_LINES.has(label) && cents !== undefined)?.at ?? rows.length;
  const summaryAt = labelled.find(({ label, at }) => label === 'tax-summary' && at > sumAt)?.at ?? rows.length;
  const loose = rows.slice(sumAt, summaryAt).flatMap((row, from): Amount[] => {
    const at = sumAt + from;
    const cents = labelled.some((one) => one.at === at) ? undefined : lastAmount(row, locale)?.cents;
    return cents === undefined ? [] : [{ at, cents }];
  });
  const money = (label: Label) =>
    labelled.filter((row) => row.label === label && row.at < summaryAt).flatMap(({ cents }) => cents ?? []);
  const anywhere = (label: Label) => labelled.filter((row) => row.label === label).flatMap(({ cents }) => cents ?? []);
  const rounded = money('rounded-total').filter((cents) => cents > 0);
  const base = chargedBase(
    labelled.filter(({ at }) => at < summaryAt),
    loose,
  )?.cents;
  return {
    subtotal: money('subtotal').at(-1) ?? base,
    tax: money('tax').at(-1),
    service: money('service')[0],
    discount: money('discount').at(-1),
    rounding: money('rounding').find((cents) => Math.abs(cents) < ROUNDING_MAX),
    cash: anywhere('tender').find((cents) => cents > 0),
    change: anywhere('change')[0],
    totals: [
      ...rounded,
      ...money('total')
        .filter((cents) => cents > 0 && cents !== base)
        .reverse(),
    ],
    loose: loose.map(({ cents }) => cents),
    rounded: rounded.length > 0,
  };
}

interface Amount {
  /** The number of the row. */
  readonly at: number;
  readonly cents: number;
}

/**
 * The total line to which charges are added, as the charges below it and a higher total below them show, or an amount and
 * then the sum of both, whatever their labels. Some tills call a subtotal `Total Amount`; of a receipt that is cut at the
 * left, `SUBTOTAL` may be read as `OTAL`, and its total has no label.
 */
function chargedBase(labelled: readonly LabelledRow[], loose: readonly Amount[]): LabelledRow | undefined {
  const isLine = ({ label, cents }: LabelledRow) => label === 'total' && cents !== undefined && cents > 0;
  const charges = labelled.filter(({ label, cents = 0 }) => (label === 'service' || label === 'tax') && cents > 0);
  return labelled.filter(isLine).find((base) => {
    const charge = charges.find(({ at }) => at > base.at);
    const isHigher = (row: LabelledRow) => isLine(row) && row.cents! - base.cents! > ROUNDING_MAX;
    const isSum = (sum: Amount) => {
      const charged = sum.cents - base.cents!;
      return (
        charged > ROUNDING_MAX &&
        [...charges, ...loose].some(({ at, cents }) => at > base.at && at < sum.at && cents === charged)
      );
    };
    return (charge !== undefined && labelled.some((row) => row.at > charge.at && isHigher(row))) || loose.some(isSum);
  });
}

import { amountsOf, splitAmount } from './amounts.ts';
import { labelOf } from './labels.ts';
import type { Label, Locale } from './locales.ts';
import type { Row } from './rows.ts';

/** A row with what it states, and the amount that stands beside its label. */
export interface LabelledRow {
  readonly at: number;
  readonly label: Label;
  readonly cents: number | undefined;
}

/** Amounts at the foot of a receipt, in cents. */
export interface Summary {
  readonly subtotal?: number | undefined;
  readonly tax?: number | undefined;
  readonly service?: number | undefined;
  readonly discount?: number | undefined;
  readonly rounding?: number | undefined;
  readonly cash?: number | undefined;
  readonly change?: number | undefined;
  /** Totals as their lines print them, those after rounding first. */
  readonly totals: readonly number[];
  /** Whether a line says that the total is rounded. */
  readonly rounded: boolean;
}

export function labelledRows(rows: readonly Row[], locale: Locale): LabelledRow[] {
  return rows.flatMap((row, at) => {
    const label = labelOf(row.text, locale);
    return label === undefined ? [] : [{ at, label, cents: amountOf(rows, at, locale) }];
  });
}

/** The last amount of the row, or that of the next if it consists of nothing else. */
function amountOf(rows: readonly Row[], at: number, locale: Locale): number | undefined {
  const own = amountsOf(rows[at]!, locale).at(-1)?.cents ?? splitAmount(rows[at]!);
  if (own !== undefined) return own;
  const next = rows[at + 1];
  if (!next || /[A-Za-z]{3}/.test(next.text)) return undefined;
  return amountsOf(next, locale).at(-1)?.cents;
}

/** Rounding of cash is less than the smallest coin that is left. */
const ROUNDING_MAX = 10;

export function summaryOf(labelled: readonly LabelledRow[]): Summary {
  // What follows the summary of tax repeats amounts per rate, under the same words.
  const summaryAt = labelled.find(({ label }) => label === 'tax-summary')?.at ?? Number.POSITIVE_INFINITY;
  const money = (label: Label) =>
    labelled.filter((row) => row.label === label && row.at < summaryAt).flatMap(({ cents }) => cents ?? []);
  const anywhere = (label: Label) => labelled.filter((row) => row.label === label).flatMap(({ cents }) => cents ?? []);
  const rounded = money('rounded-total').filter((cents) => cents > 0);
  return {
    subtotal: money('subtotal').at(-1),
    tax: money('tax').at(-1),
    service: money('service')[0],
    discount: money('discount').at(-1),
    rounding: money('rounding').find((cents) => Math.abs(cents) < ROUNDING_MAX),
    cash: anywhere('tender').find((cents) => cents > 0),
    change: anywhere('change')[0],
    totals: [
      ...rounded,
      ...money('total')
        .filter((cents) => cents > 0)
        .reverse(),
    ],
    rounded: rounded.length > 0,
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ExpectedReceipt {
  readonly image: string;
  readonly company: string;
  /** As `2018-03-05`. */
  readonly date: string;
  /** In cents; undefined if the annotators gave none. */
  readonly total: number | undefined;
  /** The prices of all lines in cents, in their order; undefined if nobody wrote them down. */
  readonly prices: readonly number[] | undefined;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/**
 * What the annotators wrote in the folder's truth.ndjson, with the prices of its prices.ndjson if there is one: lines with
 * `image` and `prices`, in cents.
 */
export function expectedReceipts(folder: string): ExpectedReceipt[] {
  const prices = new Map(
    linesOf<{ image: string; prices: number[] }>(join(folder, 'prices.ndjson')).map((line) => [
      line.image,
      line.prices,
    ]),
  );
  return linesOf<Record<'image' | 'company' | 'date' | 'total', string>>(join(folder, 'truth.ndjson')).map(
    ({ image, company, date, total }) => {
      const digits = total.replace(/\D/g, '');
      const cents = digits === '' ? undefined : Number(digits);
      return { image, company, date: dayOf(date), total: cents, prices: prices.get(image) };
    },
  );
}

function linesOf<Line>(file: string): Line[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Annotators wrote dates as print shows them: day first unless that is no month, year first, with names of months. */
function dayOf(text: string): string {
  const [, year, month, day] = /^(20\d\d)-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const [first = '', second = '', last = ''] = text.split(/[/\- ]/);
  const named = MONTHS.indexOf(second.toUpperCase()) + 1;
  const parts = named > 0 ? [named, Number(first)] : [Number(second), Number(first)];
  const [monthNumber = 0, dayNumber = 0] = parts[0]! > 12 ? parts.toReversed() : parts;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${last.length === 2 ? `20${last}` : last}-${two(monthNumber)}-${two(dayNumber)}`;
}

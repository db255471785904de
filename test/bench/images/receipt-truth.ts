import { readFileSync } from 'node:fs';

export interface ExpectedReceipt {
  readonly image: string;
  readonly company: string;
  /** As `2018-03-05`. */
  readonly date: string;
  /** In cents; undefined if the annotators gave none. */
  readonly total: number | undefined;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

export function expectedReceipts(file: string): ExpectedReceipt[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { image, company, date, total } = JSON.parse(line) as Record<'image' | 'company' | 'date' | 'total', string>;
    const digits = total.replace(/\D/g, '');
    return { image, company, date: dayOf(date), total: digits === '' ? undefined : Number(digits) };
  });
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

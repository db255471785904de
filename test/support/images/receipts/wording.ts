import type { Random } from '../../../bench/records/generated-businesses.ts';
import { type Purchase, two } from './purchase.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function money(cents: number, mark = ''): string {
  const whole = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}${mark}${whole}.${two(Math.abs(cents) % 100)}`;
}

/** An amount as France, Italy and Spain write it: `1.234,50`. */
export const euros = (cents: number, mark = ''): string =>
  money(cents, mark).replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));

export const percent = (rate: number): string => `${Number((rate * 100).toFixed(3))}%`;

/** The day as a till of that country prints it; one form a till. */
export function printedDay({ country, date }: Purchase, random: Random): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const name = MONTHS[Number(month) - 1]!;
  const short = year.slice(2);
  return random.pick(
    country === 'US'
      ? [
          `${month}/${day}/${year}`,
          `${month}/${day}/${year}`,
          `${month}/${day}/${short}`,
          `${Number(month)}/${Number(day)}/${year}`,
          `${month}-${day}-${year}`,
          `${name} ${Number(day)}, ${year}`,
          `${name.toUpperCase()} ${day} ${year}`,
          `${year}-${month}-${day}`,
        ]
      : [
          `${day}/${month}/${year}`,
          `${day}/${month}/${year}`,
          `${day}-${month}-${year}`,
          `${day}/${month}/${short}`,
          `${day} ${name} ${year}`,
          `${day}-${name.toUpperCase()}-${short}`,
          `${year}-${month}-${day}`,
        ],
  );
}

export function printedTime({ time }: Purchase, random: Random): string {
  const [hour = '', minute = ''] = time.split(':');
  const half = Number(hour) < 12 ? 'AM' : 'PM';
  const twelve = Number(hour) % 12 === 0 ? 12 : Number(hour) % 12;
  const second = two(random.below(60));
  return random.pick([
    `${hour}:${minute}`,
    `${hour}:${minute}:${second}`,
    `${twelve}:${minute} ${half}`,
    `${two(twelve)}:${minute}${half}`,
  ]);
}

/** Pieces in all, which many tills print. */
export const pieces = ({ items }: Purchase): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

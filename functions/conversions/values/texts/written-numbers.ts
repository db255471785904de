import { quoteForMessage } from '../../items/item-refusal.ts';
import { ambiguous, type Reading, read, unreadable } from './reading.ts';
import { plainText } from './tidy.ts';

/** The longest text. No number of this service is longer. */
const CHARACTERS_MAX = 500;

/** Spaces and apostrophes always separate thousands. */
const THOUSANDS = /^\d{1,3}([ '’]\d{3})+$/;
const POINTS = /^\d{1,3}(\.\d{3})+$/;
/** `1,234,567`, and `12,34,567` as in India. */
const COMMAS = /^\d{1,3}(,\d{3})+$|^\d{1,2}(,\d{2})+,\d{3}$/;

/**
 * Reads a number with common separators as plain decimal text. A single separator before three digits is ambiguous; the
 * decimal mark of the caller's locale decides.
 */
export function readNumber(text: string, decimalMark?: '.' | ','): Reading<string> {
  const written = plainText(text).replace(/^[−–]/, '-');
  const [, sign = '', digits = ''] = /^([+-]?) ?([\d.,'’ ]+)$/.exec(written) ?? [];
  if (written.length > CHARACTERS_MAX) return unreadable('The number has too many digits.');
  if (!/\d/.test(digits)) return unreadable(`${quoteForMessage(text)} is not a number.`);
  const [mark, count] = lastMark(digits);
  if (mark === undefined) return whole(text, sign, digits);
  const hasOther = digits.includes(mark === '.' ? ',' : '.');
  if (count > 1) return hasOther ? unreadable(misplaced(text)) : whole(text, sign, digits);
  const at = digits.lastIndexOf(mark);
  const [before, after] = [digits.slice(0, at), digits.slice(at + 1)];
  const decimal = decimalText(sign, before, after);
  if (decimal === undefined) return unreadable(misplaced(text));
  const mayGroup = !hasOther && /^[1-9]\d{0,2}$/.test(before) && after.length === 3;
  if (mayGroup) return loneMark(text, { decimal, grouped: `${minus(sign)}${before}${after}`, mark, decimalMark });
  return read(decimal, decimalMark === undefined || decimalMark === mark ? 'high' : 'medium');
}

interface TwoReadings {
  readonly decimal: string;
  readonly grouped: string;
  readonly mark: '.' | ',';
  readonly decimalMark: '.' | ',' | undefined;
}

function loneMark(text: string, { decimal, grouped, mark, decimalMark }: TwoReadings): Reading<string> {
  if (decimalMark !== undefined) return read(decimalMark === mark ? decimal : grouped);
  const name = mark === '.' ? 'point' : 'comma';
  const detail = `In ${quoteForMessage(text)} the ${name} may stand before decimals or between thousands. Set locale.`;
  return ambiguous(detail, [decimal, grouped]);
}

/** The separator that comes last, and how often it occurs. */
function lastMark(digits: string): [mark: '.' | ',' | undefined, count: number] {
  const marks = digits.replace(/[^.,]/g, '');
  const mark = marks.at(-1) as '.' | ',' | undefined;
  return [mark, mark === undefined ? 0 : marks.split(mark).length - 1];
}

function whole(text: string, sign: string, digits: string): Reading<string> {
  const number = wholeText(digits);
  return number === undefined ? unreadable(misplaced(text)) : read(signed(sign, number));
}

function decimalText(sign: string, before: string, after: string): string | undefined {
  const number = before === '' ? '0' : wholeText(before);
  return number === undefined || !/^\d+$/.test(after) ? undefined : signed(sign, `${number}.${after}`);
}

/** The digits without separators, if these separate thousands. */
function wholeText(digits: string): string | undefined {
  const isPlain = /^\d+$/.test(digits) || THOUSANDS.test(digits) || POINTS.test(digits) || COMMAS.test(digits);
  return isPlain ? digits.replace(/\D/g, '').replace(/^0+(?=\d)/, '') : undefined;
}

const minus = (sign: string): string => (sign === '-' ? '-' : '');
const signed = (sign: string, number: string): string => (/[1-9]/.test(number) ? minus(sign) : '') + number;
const misplaced = (text: string): string =>
  `The separators in ${quoteForMessage(text)} do not stand where those of a number do.`;

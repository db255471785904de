import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { numberText } from '#shared/exact-json';

/**
 * SHA-256 of a record in the canonical form of RFC 8785, so that the order of members and the way in which numbers are
 * written do not count. A number that JavaScript cannot hold is hashed as the text of its digits, as appendix D of the RFC
 * recommends; otherwise two such numbers would be taken for the same. Undefined where a text is not valid Unicode.
 */
export function contentHashOf(record: unknown): string | undefined {
  if (!isWellFormed(record)) return undefined;
  const canonical = canonicalize(withPlainNumbers(record)) ?? '';
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
}

/** RFC 8785 has no form for text with half of a surrogate pair. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null || numberText(value) !== undefined) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

function withPlainNumbers(value: unknown): unknown {
  const digits = numberText(value);
  if (digits !== undefined) return plainNumber(digits);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPlainNumbers(member)]));
}

function plainNumber(text: string): number | string {
  const number = Number(text);
  const exact = scientific(text);
  return Number.isFinite(number) && scientific(String(number)) === exact ? number : exact;
}

/** One form for all ways to write a number: digits without zeros around them, and an exponent. */
function scientific(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZerosAtEnd(digits);
  if (significant === '') return '0';
  const power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length - (digits.length - significant.length));
  return power === 0n ? `${sign}${significant}` : `${sign}${significant}e${power}`;
}

/** A pattern for zeros at the end would look at every run of zeros again and again. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

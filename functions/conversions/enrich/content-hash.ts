import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { numberText } from '#shared/formats/exact-json';

/**
 * SHA-256 of a record in the canonical form of RFC 8785, so that the order of members and the notation of numbers do
 * not matter. A number that JavaScript cannot represent is hashed as the text of its digits, as appendix D of the RFC
 * recommends; otherwise two such numbers would be equal. Undefined if a text is not valid Unicode.
 */
export function contentHashOf(record: unknown): string | undefined {
  if (!isWellFormed(record)) return undefined;
  const canonical = canonicalize(withPlainNumbers(record)) ?? '';
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
}

/** RFC 8785 has no form for text with an unpaired surrogate. */
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

/** The canonical notation of a number: digits without leading and trailing zeros, and an exponent. */
function scientific(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZerosAtEnd(digits);
  if (significant === '') return '0';
  const power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length - (digits.length - significant.length));
  return power === 0n ? `${sign}${significant}` : `${sign}${significant}e${power}`;
}

/** A regular expression for trailing zeros would backtrack over every run of zeros. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

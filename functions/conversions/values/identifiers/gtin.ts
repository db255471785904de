import { gs1CheckDigit, isbn10CheckDigit } from './check-digit.ts';
import { upcABody, upcAOfUpcE } from './upc-e.ts';

export const GTIN_KINDS = ['upc-e', 'upc-a', 'ean-8', 'ean-13', 'gtin-14', 'isbn-10', 'isbn-13'] as const;
export type GtinKind = (typeof GTIN_KINDS)[number];

/** A number that has the right length and check digit for its kind. */
export interface Gtin {
  readonly kind: GtinKind;
  /** The digits in the notation of this kind, without separators. */
  readonly digits: string;
  readonly gtin14: string;
}

/** The fault of a number, and a suggestion. */
export interface GtinProblem {
  readonly problem: 'characters' | 'length' | 'prefix' | 'check-digit' | 'ambiguous';
  readonly detail: string;
  /** The same number with the right check digit, or with the leading zeros that a spreadsheet dropped. */
  readonly suggestion?: string;
  readonly candidates?: readonly string[];
}

export type GtinReading = { readonly gtin: Gtin } | { readonly gtin?: undefined; readonly problem: GtinProblem };

const LENGTHS: Readonly<Record<GtinKind, number>> = {
  'upc-e': 8,
  'upc-a': 12,
  'ean-8': 8,
  'ean-13': 13,
  'gtin-14': 14,
  'isbn-10': 10,
  'isbn-13': 13,
};
const LENGTHS_KNOWN = [8, 10, 12, 13, 14];
const TEXT_MAX = 60;

export const lengthOf = (kind: GtinKind): number => LENGTHS[kind];

/** The digits of a number: without spaces, hyphens and a leading `ISBN` or `EAN-13:`. */
export function gtinDigits(text: string): string {
  return text
    .slice(0, TEXT_MAX + 1)
    .normalize('NFKC')
    .trim()
    .replace(/^(?:isbn|gtin|ean|upc)(?:-(?:8|1[0234]|a|e)\b)?:?\s+/i, '')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
}

/** Reads a number of any kind. Eight digits may be EAN-8 or UPC-E; where the check digit fits both it is ambiguous. */
export function readGtin(text: string): GtinReading {
  const digits = gtinDigits(text);
  if (!/^\d*[\dX]$/.test(digits) || text.length > TEXT_MAX) return notDigits();
  const kinds = kindsOf(digits);
  if (kinds.length === 0) return wrongLength(digits);
  const readings = kinds.map((kind) => gtinOf(digits, kind));
  const valid = readings.flatMap(({ gtin }) => gtin ?? []);
  const [only, other] = valid;
  if (only === undefined) return readings[0] ?? notDigits();
  if (other === undefined || other.gtin14 === only.gtin14) return { gtin: only };
  const detail = `${digits} may be ${valid.map(({ kind, gtin14 }) => `${kind} (GTIN-14 ${gtin14})`).join(' or ')}.`;
  return { problem: { problem: 'ambiguous', detail, candidates: valid.map(({ gtin14 }) => gtin14) } };
}

function kindsOf(digits: string): GtinKind[] {
  if (digits.endsWith('X')) return digits.length === 10 ? ['isbn-10'] : [];
  if (digits.length === 8) return /^[01]/.test(digits) ? ['ean-8', 'upc-e'] : ['ean-8'];
  if (digits.length === 10) return ['isbn-10'];
  if (digits.length === 12) return ['upc-a'];
  if (digits.length === 13) return isBookland(digits) ? ['isbn-13'] : ['ean-13'];
  return digits.length === 14 ? ['gtin-14'] : [];
}

/** 979-0 numbers sheet music (ISMN), not books. */
export const isBookland = (digits: string): boolean => /^97(?:8|9[1-9])/.test(digits);

/** Reads digits as one kind. */
export function gtinOf(digits: string, kind: GtinKind): GtinReading {
  if (!(kind === 'isbn-10' ? /^\d*[\dX]$/ : /^\d+$/).test(digits)) return notDigits();
  if (digits.length !== LENGTHS[kind]) {
    const detail = `The number has ${digits.length} digits; ${kind} has ${LENGTHS[kind]}.`;
    return { problem: { problem: 'length', detail, ...withZeros(digits, kind) } };
  }
  if (kind === 'upc-e' && digits > '2') {
    return { problem: { problem: 'prefix', detail: 'A UPC-E begins with 0 or 1.' } };
  }
  if (kind === 'isbn-13' && !isBookland(digits)) {
    return { problem: { problem: 'prefix', detail: 'An ISBN-13 begins with 978, or with 979 but not 9790.' } };
  }
  const body = digits.slice(0, -1);
  const expected = expectedCheckDigit(body, kind);
  if (!digits.endsWith(expected)) {
    const detail = `Check digit is ${digits.slice(-1)}, expected ${expected}`;
    return { problem: { problem: 'check-digit', detail, suggestion: body + expected } };
  }
  return { gtin: { kind, digits, gtin14: gtin14Of(digits, kind) } };
}

/** The check digit of these digits. */
export function expectedCheckDigit(body: string, kind: GtinKind): string {
  if (kind === 'isbn-10') return isbn10CheckDigit(body);
  return gs1CheckDigit(kind === 'upc-e' ? upcABody(body) : body);
}

function gtin14Of(digits: string, kind: GtinKind): string {
  if (kind === 'upc-e') return upcAOfUpcE(digits).padStart(14, '0');
  if (kind !== 'isbn-10') return digits.padStart(14, '0');
  const body = `978${digits.slice(0, 9)}`;
  return `0${body}${gs1CheckDigit(body)}`;
}

const notDigits = (): GtinReading => ({
  problem: { problem: 'characters', detail: 'A GTIN consists of digits; only an ISBN-10 may end with X.' },
});

function wrongLength(digits: string): GtinReading {
  const detail = `The number has ${digits.length} digits; a GTIN has 8, 12, 13 or 14, an ISBN 10 or 13.`;
  const kind = (['upc-a', 'ean-13', 'gtin-14'] as const).find((each) => withZeros(digits, each).suggestion);
  return { problem: { problem: 'length', detail, ...(kind && withZeros(digits, kind)) } };
}

/** A number that was stored as a number has lost its leading zeros. The check digit shows whether zeros are missing. */
function withZeros(digits: string, kind: GtinKind): { suggestion?: string } {
  if (digits.length >= LENGTHS[kind] || digits.length < LENGTHS[kind] - 4 || LENGTHS_KNOWN.includes(digits.length))
    return {};
  const padded = digits.padStart(LENGTHS[kind], '0');
  return gtinOf(padded, kind).gtin ? { suggestion: padded } : {};
}

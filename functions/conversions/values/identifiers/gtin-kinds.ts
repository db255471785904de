import { isbn10CheckDigit } from './check-digit.ts';
import { type Gtin, type GtinKind, isBookland } from './gtin.ts';
import { upcEOfUpcA } from './upc-e.ts';

/** The number converted to another kind, or the sentence that says why that is impossible. */
export function gtinAs(gtin: Gtin, kind: GtinKind): { readonly digits: string } | { readonly impossible: string } {
  const { gtin14 } = gtin;
  if (kind === 'gtin-14') return { digits: gtin14 };
  if (!gtin14.startsWith('0')) {
    return {
      impossible: `GTIN-14 ${gtin14} numbers a package of items (indicator ${gtin14[0]}), which has no ${kind}.`,
    };
  }
  const { of, reason } = SHORTER[kind];
  const digits = of(gtin14.slice(1));
  return digits === undefined ? { impossible: `${gtin.kind} ${gtin.digits} has no ${kind}: ${reason}.` } : { digits };
}

interface Shorter {
  /** Converts from an EAN-13; undefined if that is impossible. */
  readonly of: (ean13: string) => string | undefined;
  readonly reason: string;
}

const SHORTER: Readonly<Record<Exclude<GtinKind, 'gtin-14'>, Shorter>> = {
  'ean-13': { of: (ean13) => ean13, reason: 'only a number without a package indicator has one' },
  'isbn-13': {
    of: (ean13) => (isBookland(ean13) ? ean13 : undefined),
    reason: 'only a number that begins with 978, or with 979 but not 9790, has one',
  },
  'isbn-10': { of: isbn10Of, reason: 'only an ISBN-13 that begins with 978 has one' },
  'ean-8': {
    of: (ean13) => (ean13.startsWith('00000') ? ean13.slice(5) : undefined),
    reason: 'only a GTIN-14 that begins with six zeros has one',
  },
  'upc-a': {
    of: (ean13) => (ean13.startsWith('0') ? ean13.slice(1) : undefined),
    reason: 'only a number whose EAN-13 begins with 0 has one',
  },
  'upc-e': {
    of: (ean13) => (ean13.startsWith('0') ? upcEOfUpcA(ean13.slice(1)) : undefined),
    reason: 'only a UPC-A of number system 0 or 1 with enough zeros in the right places has one',
  },
};

function isbn10Of(ean13: string): string | undefined {
  const body = ean13.slice(3, 12);
  return ean13.startsWith('978') ? body + isbn10CheckDigit(body) : undefined;
}

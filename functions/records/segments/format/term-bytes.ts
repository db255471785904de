/**
 * Terms as bytes. Every UTF-16 code unit is written on its own, as UTF-8 writes that number, surrogates included: so
 * the order of bytes is the order of code units, which is the order that queries compare by, and any string survives.
 */

/** Writes one code unit at a place, where there must be room for three bytes, and returns its end. */
export function writeUnit(unit: number, into: Uint8Array, start: number): number {
  let at = start;
  if (unit < 0x80) {
    into[at++] = unit;
  } else if (unit < 0x800) {
    into[at++] = 0xc0 | (unit >> 6);
    into[at++] = 0x80 | (unit & 63);
  } else {
    into[at++] = 0xe0 | (unit >> 12);
    into[at++] = 0x80 | ((unit >> 6) & 63);
    into[at++] = 0x80 | (unit & 63);
  }
  return at;
}

export function termBytes(term: string): Uint8Array {
  const bytes = new Uint8Array(term.length * 3);
  let end = 0;
  for (let i = 0; i < term.length; i++) end = writeUnit(term.charCodeAt(i), bytes, end);
  return bytes.slice(0, end);
}

export function termText(bytes: Uint8Array, length = bytes.length): string {
  let text = '';
  for (let at = 0; at < length; ) {
    const first = bytes[at]!;
    if (first < 0x80) {
      text += String.fromCharCode(first);
      at += 1;
    } else if (first < 0xe0) {
      text += String.fromCharCode(((first & 31) << 6) | (bytes[at + 1]! & 63));
      at += 2;
    } else {
      text += String.fromCharCode(((first & 15) << 12) | ((bytes[at + 1]! & 63) << 6) | (bytes[at + 2]! & 63));
      at += 3;
    }
  }
  return text;
}

/** Compares two terms: negative, zero or positive, as `a` sorts before, with or after `b`. */
export function compareBytes(a: Uint8Array, b: Uint8Array, aLength = a.length, bLength = b.length): number {
  const shared = Math.min(aLength, bLength);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** A term inside a larger array. For millions of terms this costs a fraction of views on the array. */
export interface TermSlice {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** A range of neighbouring terms: from `from`, up to but without `before`; if that is absent, to the end of the field. */
export interface TermSpan {
  readonly from: Uint8Array;
  readonly before?: Uint8Array;
}

/** The bytes of the first term after this one. */
export function afterTerm(bytes: Uint8Array): Uint8Array {
  const next = new Uint8Array(bytes.length + 1);
  next.set(bytes);
  return next;
}

/** All terms that start with the given text. */
export function prefixSpan(prefix: string): TermSpan {
  const from = termBytes(prefix);
  if (from.length === 0) return { from };
  // No byte of a term is above 0xef, so the last one can always be raised.
  const before = from.slice();
  before[before.length - 1]! += 1;
  return { from, before };
}

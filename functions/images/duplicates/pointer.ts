import type { Validation } from '../validations/validation.ts';

/** Bits of a likeness, and the parts that it is cut into: two that differ little have a part in common. */
const LIKENESS_DIGITS = 64;
const BAND_DIGITS = 4;

/** A record, as duplicates of it are found. */
export type ScopedValidation = Pick<Validation, 'tenant' | 'id' | 'campaignId'>;

/** Where an image counts once: in the campaign of its record, or in all campaigns of the tenant. */
export type Scope = 'campaign' | 'tenant';

/**
 * What an image is looked up by: its bytes, and each part of its likeness. Images that differ in more than a few bits may
 * have no part in common and are then not found.
 */
export function pointersOf({
  sha256,
  likeness,
}: {
  sha256?: string | undefined;
  likeness?: string | undefined;
}): string[] {
  const bytes = sha256 === undefined ? [] : [`bytes#${sha256}`];
  if (likeness === undefined) return bytes;
  if (likeness.length !== LIKENESS_DIGITS) throw new Error('A likeness has 64 hexadecimal digits.');
  const bands = Array.from({ length: LIKENESS_DIGITS / BAND_DIGITS }, (_, band) => {
    const bits = likeness.slice(band * BAND_DIGITS, (band + 1) * BAND_DIGITS);
    return `band#${band}#${bits}`;
  });
  return [...bytes, ...bands];
}

import type { Validation } from '../validations/validation.ts';

/** A perceptual hash has 64 hexadecimal digits and is cut into parts of 4: two perceptual hashes that differ little share a part. */
const HASH_DIGITS = 64;
const BAND_DIGITS = 4;

/** The parts of a validation that a search for duplicates needs. */
export type ScopedValidation = Pick<Validation, 'tenant' | 'id' | 'campaignId'>;

/** An image counts once per campaign, or once in all campaigns of the tenant. */
export type Scope = 'campaign' | 'tenant';

/**
 * The lookup keys of an image: its bytes, and each part of its perceptual hash. Images that differ in many bits may share no
 * part, and then do not find each other.
 */
export function pointersOf({
  sha256,
  perceptualHash,
}: {
  sha256?: string | undefined;
  perceptualHash?: string | undefined;
}): string[] {
  const bytes = sha256 === undefined ? [] : [`bytes#${sha256}`];
  if (perceptualHash === undefined) return bytes;
  if (perceptualHash.length !== HASH_DIGITS) throw new Error('A perceptual hash has 64 hexadecimal digits.');
  const bands = Array.from({ length: HASH_DIGITS / BAND_DIGITS }, (_, band) => {
    const bits = perceptualHash.slice(band * BAND_DIGITS, (band + 1) * BAND_DIGITS);
    return `band#${band}#${bits}`;
  });
  return [...bytes, ...bands];
}

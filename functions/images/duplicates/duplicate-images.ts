import { hashDistance } from '../pictures/perceptual-hash.ts';
import type { Validation } from '../validations/validation.ts';

/** The properties of an image by which other images are compared with it. */
export interface ImageTraits {
  readonly sha256?: string | undefined;
  readonly perceptualHash?: string | undefined;
  /** The day and total of a fully read receipt: see `dayAndTotal`. */
  readonly content?: string | undefined;
}

/** A validation with an image that shares the bytes or a part of the perceptual hash. */
export interface LookAlike {
  readonly validation: Validation;
  /** Absent if the bytes are the same. */
  readonly perceptualHash?: string | undefined;
  readonly content?: string | undefined;
}

/**
 * Two perceptual hashes may be of one picture if they differ in at most this many bits. Different receipts of one store can
 * differ in only 16 bits, and one receipt saved again in 38: the content decides. Other pictures are rarely so similar.
 */
export const ALIKE_BITS = 40;
const SAME_BITS = 10;

interface Candidate {
  readonly validation: Pick<Validation, 'id' | 'createdAt' | 'status' | 'validationType'>;
  readonly perceptualHash?: string | undefined;
  /** The day and total of a fully read receipt: see `dayAndTotal`. */
  readonly content?: string | undefined;
}

interface DuplicateMatch {
  readonly validation: string;
  readonly by: 'bytes' | 'perceptualHash';
  /** True if nothing contradicts the match. */
  readonly certain: boolean;
  /** True while the other validation is undecided. Only an awarded validation makes another one a duplicate. */
  readonly undecided: boolean;
}

/**
 * Finds the validations that already have the image: the awarded one, or else older ones that are not decided yet. Of
 * two pending validations only the younger waits for the other. After a refusal the customer may submit a better
 * photograph.
 */
export function duplicatesAmong(own: Candidate, candidates: readonly Candidate[]): DuplicateMatch[] {
  const holders = candidates.filter(
    ({ validation: other }) =>
      other.status === 'valid' || (other.status === 'pending' && isOlder(other, own.validation)),
  );
  return strongest(holders.flatMap((other) => match(own, other)));
}

/** Returns only the awarded match if it is certain; otherwise each validation once, with its most certain match. */
export function strongest(matches: readonly DuplicateMatch[]): DuplicateMatch[] {
  const sorted = matches.toSorted((a, b) => Number(b.certain) - Number(a.certain));
  const awarded = sorted.filter(({ undecided }) => !undecided).slice(0, 1);
  if (awarded.some(({ certain }) => certain)) return awarded;
  const waiting = new Map<string, DuplicateMatch>();
  for (const duplicate of sorted)
    if (duplicate.undecided && !waiting.has(duplicate.validation)) waiting.set(duplicate.validation, duplicate);
  return [...awarded, ...waiting.values()];
}

function match(own: Candidate, other: Candidate): DuplicateMatch[] {
  const undecided = other.validation.status !== 'valid';
  const validation = other.validation.id;
  const matched = (by: DuplicateMatch['by'], certain: boolean) => [{ validation, by, certain, undecided }];
  if (other.perceptualHash === undefined) return matched('bytes', true);
  if (own.perceptualHash === undefined) return [];
  const distance = hashDistance(own.perceptualHash, other.perceptualHash);
  if (distance > ALIKE_BITS) return [];
  if (own.validation.validationType === 'image') return matched('perceptualHash', distance <= SAME_BITS);
  if (own.content === undefined || other.content === undefined) return matched('perceptualHash', false);
  return own.content === other.content ? matched('perceptualHash', true) : [];
}

/**
 * Compares creation times, then ids, so that exactly one of two validations is the older and no two wait for each
 * other.
 */
const isOlder = (one: Candidate['validation'], than: Candidate['validation']): boolean =>
  one.createdAt === than.createdAt ? Number(one.id) < Number(than.id) : one.createdAt < than.createdAt;

import { likenessDistance } from '../pictures/likeness.ts';
import type { Validation } from '../validations/validation.ts';

/** An image by which others are found. */
export interface ImageTraits {
  readonly sha256?: string | undefined;
  readonly likeness?: string | undefined;
  /** What a receipt says, if all of it was read: see `contentOf`. */
  readonly content?: string | undefined;
}

/** A record that has an image with a part in common. */
export interface LookAlike {
  readonly validation: Validation;
  /** Absent where the bytes are the same. */
  readonly likeness?: string | undefined;
  readonly content?: string | undefined;
}

/**
 * Bits in which two likenesses differ, up to which they may be of one picture. Different receipts of one store differ in as
 * few as 16, the same one saved anew in as many as 38: what a receipt says decides. Of other pictures, few are as alike.
 */
const ALIKE_BITS = 40;
const SAME_BITS = 10;

interface Candidate {
  readonly validation: Pick<Validation, 'id' | 'createdAt' | 'status' | 'validationType'>;
  readonly likeness?: string | undefined;
  /** What a receipt says, if all of it was read: see `contentOf`. */
  readonly content?: string | undefined;
}

interface TwinMatch {
  readonly validation: string;
  readonly by: 'bytes' | 'likeness';
  /** Nothing speaks against it. */
  readonly certain: boolean;
  /** It is still to be decided: only a record that is awarded makes a duplicate of another one. */
  readonly undecided: boolean;
}

/**
 * The records that have the image already: the one that was awarded for it, or else those that are older and not decided
 * yet. Of two that wait, only the younger one waits for the other. A record that was refused may be submitted again,
 * better photographed.
 */
export function twinsAmong(own: Candidate, candidates: readonly Candidate[]): TwinMatch[] {
  const holders = candidates.filter(
    ({ validation: other }) =>
      other.status === 'valid' || (other.status === 'pending' && isOlder(other, own.validation)),
  );
  return strongest(holders.flatMap((other) => match(own, other)));
}

/** The one certain duplicate of an awarded record, if there is any; else each record once, as certain as it is. */
export function strongest(matches: readonly TwinMatch[]): TwinMatch[] {
  const sorted = matches.toSorted((a, b) => Number(b.certain) - Number(a.certain));
  const awarded = sorted.filter(({ undecided }) => !undecided).slice(0, 1);
  if (awarded.some(({ certain }) => certain)) return awarded;
  const waiting = new Map<string, TwinMatch>();
  for (const twin of sorted) if (twin.undecided && !waiting.has(twin.validation)) waiting.set(twin.validation, twin);
  return [...awarded, ...waiting.values()];
}

function match(own: Candidate, other: Candidate): TwinMatch[] {
  const undecided = other.validation.status !== 'valid';
  const validation = other.validation.id;
  const matched = (by: TwinMatch['by'], certain: boolean) => [{ validation, by, certain, undecided }];
  if (other.likeness === undefined) return matched('bytes', true);
  if (own.likeness === undefined) return [];
  const distance = likenessDistance(own.likeness, other.likeness);
  if (distance > ALIKE_BITS) return [];
  if (own.validation.validationType === 'image') return matched('likeness', distance <= SAME_BITS);
  if (own.content === undefined || other.content === undefined) return matched('likeness', false);
  return own.content === other.content ? matched('likeness', true) : [];
}

/** Of two records exactly one is the older, whatever clocks they were made by: no two wait for each other. */
const isOlder = (one: Candidate['validation'], than: Candidate['validation']): boolean =>
  one.createdAt === than.createdAt ? Number(one.id) < Number(than.id) : one.createdAt < than.createdAt;

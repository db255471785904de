import { likenessDistance } from '../pictures/likeness.ts';
import type { Validation } from '../validations/validation.ts';

/** An image by which others are found. */
export interface Seen {
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
  readonly validation: Pick<Validation, 'id' | 'status' | 'validationType'>;
  readonly likeness?: string | undefined;
  /** What a receipt says, if all of it was read: see `contentOf`. */
  readonly content?: string | undefined;
}

interface Found {
  readonly validation: string;
  readonly by: 'bytes' | 'likeness';
  readonly certain: boolean;
}

/**
 * The record that has the image already, if any: one that is valid, or one that is older and not decided yet. A record
 * that was refused may be submitted again, better photographed.
 */
export function twinAmong(own: Candidate, candidates: readonly Candidate[]): Found[] {
  const { id } = own.validation;
  const holders = candidates.filter(
    ({ validation: other }) => other.status === 'valid' || (other.status === 'pending' && isOlder(other.id, id)),
  );
  const twins = holders.flatMap((other) => likenessFound(own, other));
  const [best] = twins.sort((a, b) => Number(b.certain) - Number(a.certain));
  return best ? [best] : [];
}

function likenessFound(own: Candidate, other: Candidate): Found[] {
  const validation = other.validation.id;
  if (other.likeness === undefined) return [{ validation, by: 'bytes', certain: true }];
  if (own.likeness === undefined) return [];
  const distance = likenessDistance(own.likeness, other.likeness);
  if (distance > ALIKE_BITS) return [];
  if (own.validation.validationType === 'image')
    return [{ validation, by: 'likeness', certain: distance <= SAME_BITS }];
  if (own.content === undefined || other.content === undefined) return [{ validation, by: 'likeness', certain: false }];
  return own.content === other.content ? [{ validation, by: 'likeness', certain: true }] : [];
}

/** Ids are times, so that of two records exactly one is the older, whatever clocks they were made by. */
const isOlder = (id: string, than: string): boolean => Number(id) < Number(than);

import { likenessDistance } from '../pictures/likeness.ts';
import type { Validation } from '../validations/validation.ts';

/** Bits in which two likenesses differ, up to which they are of one picture, and up to which a person must look. */
const SAME_BITS = 16;
const ALIKE_BITS = 38;

interface Candidate {
  readonly validation: Pick<Validation, 'id' | 'status'>;
  readonly likeness?: string | undefined;
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
export function twinAmong(id: string, likeness: string | undefined, candidates: readonly Candidate[]): Found[] {
  const holders = candidates.filter(
    ({ validation: other }) => other.status === 'valid' || (other.status === 'pending' && isOlder(other.id, id)),
  );
  const twins = holders.flatMap(({ validation, likeness: otherLikeness }): (Found & { distance: number })[] => {
    if (otherLikeness === undefined) return [{ validation: validation.id, by: 'bytes', certain: true, distance: 0 }];
    const distance = likeness === undefined ? Number.POSITIVE_INFINITY : likenessDistance(likeness, otherLikeness);
    if (distance > ALIKE_BITS) return [];
    return [{ validation: validation.id, by: 'likeness', certain: distance <= SAME_BITS, distance }];
  });
  const [nearest] = twins.sort((a, b) => a.distance - b.distance);
  if (!nearest) return [];
  const { distance: _distance, ...twin } = nearest;
  return [twin];
}

/** Ids are times, so that of two records exactly one is the older, whatever clocks they were made by. */
export const isOlder = (id: string, than: string): boolean => Number(id) < Number(than);

import type { DoubtfulFinding, Review, Status, Verdict } from '../validations/validation.ts';
import { refusalFor } from './verdict.ts';

/** What other records are by now. One that is missing was erased. */
export type Statuses = ReadonlyMap<string, Status>;

/** The records whose verdicts may end doubts of the review. */
export const awaitedBy = ({ doubts }: Pick<Review, 'doubts'>): string[] =>
  doubts.flatMap(({ waitsFor }) => waitsFor?.validation ?? []);

/** The doubts that are left now: a record that was refused makes no duplicate of another one. */
export const doubtsLeft = ({ doubts }: Pick<Review, 'doubts'>, statuses: Statuses): DoubtfulFinding[] =>
  doubts.filter(({ waitsFor }) => waitsFor === undefined || !isRefused(statuses.get(waitsFor.validation)));

const isRefused = (status: Status | undefined): boolean => status === undefined || status === 'invalid';

/** The verdict that follows from those of other records alone; undefined while a person or one of them is needed. */
export function settlement(review: Review, statuses: Statuses): Verdict | undefined {
  const left = doubtsLeft(review, statuses);
  const duplicate = left.find(({ waitsFor }) => waitsFor?.isSame && statuses.get(waitsFor.validation) === 'valid');
  if (duplicate) return refusalFor(duplicate.code);
  return left.length === 0 ? { outcome: 'valid', ...(review.proposal ?? { results: [] }) } : undefined;
}

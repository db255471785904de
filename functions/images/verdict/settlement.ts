import type { DoubtfulFinding, Review, Status, Verdict } from '../validations/validation.ts';
import { refusalFor } from './verdict.ts';

/** The current status of other validations. An erased one is missing. */
export type Statuses = ReadonlyMap<string, Status>;

/** The validations whose verdicts may settle findings of the review. */
export const awaitedBy = ({ doubts }: Pick<Review, 'doubts'>): string[] =>
  doubts.flatMap(({ waitsFor }) => waitsFor?.validation ?? []);

/** The findings that remain: a refused validation makes no other one a duplicate. */
export const doubtsLeft = ({ doubts }: Pick<Review, 'doubts'>, statuses: Statuses): DoubtfulFinding[] =>
  doubts.filter(({ waitsFor }) => waitsFor === undefined || !isRefused(statuses.get(waitsFor.validation)));

const isRefused = (status: Status | undefined): boolean => status === undefined || status === 'invalid';

/** The verdict that other validations' verdicts imply; undefined while a person or an open validation is needed. */
export function settlement(review: Review, statuses: Statuses): Verdict | undefined {
  const left = doubtsLeft(review, statuses);
  const duplicate = left.find(({ waitsFor }) => waitsFor?.isSame && statuses.get(waitsFor.validation) === 'valid');
  if (duplicate) return refusalFor(duplicate.code);
  return left.length === 0 ? { outcome: 'valid', ...(review.proposal ?? { results: [] }) } : undefined;
}

import type { ReviewDecision } from '../validations/review.ts';
import type { Validation, Verdict } from '../validations/validation.ts';
import { refusalFor } from './verdict.ts';

/** The verdict of a person, who states what the record shows where it is not what was read. */
export function reviewedVerdict({ id, review }: Validation, decision: ReviewDecision | undefined): Verdict | undefined {
  if (decision === undefined) return undefined;
  if (decision.status === 'invalid') return refusalFor(decision.invalidCode);
  const proposal = review?.proposal;
  return {
    outcome: 'valid',
    storeName: decision.storeName ?? proposal?.storeName,
    receiptDate: decision.receiptDate ?? proposal?.receiptDate,
    results: decision.results?.map((line, at) => ({ ...line, id: `${id}-${at + 1}` })) ?? proposal?.results ?? [],
  };
}

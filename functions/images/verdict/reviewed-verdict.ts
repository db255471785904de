import type { ReviewDecision } from '../validations/review.ts';
import type { Validation, Verdict } from '../validations/validation.ts';
import { refusalFor } from './verdict.ts';

/** The verdict that follows from a person's decision. Members that the person left open are taken from the proposal. */
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

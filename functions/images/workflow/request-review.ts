import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { ReviewItem } from '../validations/review.ts';
import { type Review, type Validation, withReview } from '../validations/validation.ts';
import { awaitedBy } from '../verdict/settlement.ts';
import { type SettleDeps, settleReview } from './settle-reviews.ts';
import type { ReviewInput } from './states.ts';

export interface ReviewDeps extends SettleDeps {
  /** False if the validation has changed since `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
  /**
   * Stores the token that resumes the execution. An earlier decision stays; `isOver` marks a review that is not needed.
   * In both cases the table's stream resumes the execution at once.
   */
  readonly open: (key: TenantKey, opened: { token: string; requestedAt: string; isOver: boolean }) => Promise<void>;
  /** The review of an earlier request, which may be decided. */
  readonly review: (key: TenantKey) => Promise<ReviewItem | undefined>;
  /** Registers the validations whose verdicts may end the review. */
  readonly addWaiting: (key: TenantKey, waits: { awaited: readonly string[]; until: string }) => Promise<void>;
}

/** Puts a validation into the review queue. */
export async function requestReview(
  deps: ReviewDeps,
  { tenant, id, token, question }: ReviewInput,
  { now, waitMillis }: { now: number; waitMillis: number },
): Promise<void> {
  const key = { tenant, id };
  const first = { requestedAt: isoTime(now), until: isoTime(now + waitMillis) };
  let { requestedAt } = first;
  const awaited = awaitedBy(question);
  if (awaited.length > 0) await deps.addWaiting(key, { awaited, until: first.until });
  for (;;) {
    const before = await deps.validation(key);
    if (before?.status !== 'pending') return deps.open(key, { token, requestedAt, isOver: true });
    // A decision refers to the proposal that the person has seen. A later one changes the revision, so `change` is refused.
    if (before.review && (await deps.review(key))?.decision) {
      return deps.open(key, { token, requestedAt: before.review.requestedAt, isOver: false });
    }
    // After another examination the review keeps its place in the queue and its end, at which the first execution applies it.
    const { until } = before.review ?? first;
    requestedAt = before.review?.requestedAt ?? first.requestedAt;
    const review: Review = { ...question, requestedAt, until };
    if (await deps.change(withReview(before, review), before)) break;
  }
  await deps.open(key, { token, requestedAt, isOver: false });
  // A validation that was decided in the meantime may not have seen that this one waits.
  await settleReview(deps, key, now);
}

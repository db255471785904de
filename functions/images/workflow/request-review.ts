import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import { type Review, type Validation, withReview } from '../validations/validation.ts';
import type { ReviewInput } from './states.ts';

export interface ReviewDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  /** False if the record is no longer as it was `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
  /** Keeps the token by which the execution goes on. A decision that is there already stays. */
  readonly open: (key: TenantKey, token: string, requestedAt: string) => Promise<void>;
}

/** Thrown where no review is wanted any more: the execution ends. */
class AlreadyDecided extends Error {
  constructor() {
    super('The record is decided already.');
    this.name = 'AlreadyDecided';
  }
}

/** Puts a record into the queue of those that a person must look at. */
export async function requestReview(
  deps: ReviewDeps,
  { tenant, id, token, question }: ReviewInput,
  { now, waitMillis }: { now: number; waitMillis: number },
): Promise<void> {
  const key = { tenant, id };
  const review: Review = { ...question, requestedAt: isoTime(now), until: isoTime(now + waitMillis) };
  for (;;) {
    const before = await deps.validation(key);
    if (before?.status !== 'pending') throw new AlreadyDecided();
    if (await deps.change(withReview(before, review), before)) break;
  }
  await deps.open(key, token, review.requestedAt);
}

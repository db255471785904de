import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { tenantFaults } from '#shared/http/management-api';
import type { TenantKey } from '#shared/ids';
import { isCodeFor } from '#shared/loyalty/invalid-codes';
import type { ReviewAnswer, ReviewDecision, ReviewItem } from '../validations/review.ts';
import type { Validation } from '../validations/validation.ts';
import { requireUnclaimed } from './claim.ts';
import { type ReviewRequest, SoundVerdict } from './review-request.ts';

export interface Reviews {
  validation(key: TenantKey): Promise<Validation | undefined>;
  review(key: TenantKey): Promise<ReviewItem | undefined>;
  /**
   * Stores the decision and increments the validation's revision. False if a decision exists, another person's claim is
   * live, or the validation has changed.
   */
  decide(validation: Validation, decision: ReviewDecision): Promise<boolean>;
}

interface Reviewer extends TenantKey {
  readonly by: string | undefined;
  readonly now: number;
}

export interface ReviewedValidation {
  readonly validation: Validation;
  readonly decision: ReviewDecision;
}

/** After a failed write, the next read shows the cause: a decision, a claim, a status or a revision. */
const ATTEMPTS_MAX = 5;

/**
 * Stores a person's decision, at most one per validation. The reader of the stream applies it. Repeating the same decision
 * returns the first answer, whatever the validation's state, so that a client may repeat a lost call.
 */
export async function decideOn(
  reviews: Reviews,
  { verdict, revision }: ReviewRequest,
  { by, now, ...key }: Reviewer,
): Promise<ReviewedValidation> {
  for (let look = 0; look < ATTEMPTS_MAX; look += 1) {
    const validation = await validationByKey(reviews, key);
    requireCode(verdict, validation);
    const review = await reviews.review(key);
    const earlier = review?.decision;
    if (earlier) {
      if (textOf(earlier) === textOf(verdict)) return { validation, decision: earlier };
      throw alreadyDecided(earlier);
    }
    requireOpen(validation, revision);
    requireUnclaimed(review, { by, now });
    const decision: ReviewDecision = { ...verdict, at: isoTime(now), ...(by !== undefined && { by }) };
    if (await reviews.decide(validation, decision)) {
      return { validation: { ...validation, revision: validation.revision + 1 }, decision };
    }
  }
  throw new Error(`The decision could not be stored in ${ATTEMPTS_MAX} attempts.`);
}

export async function validationByKey(reviews: Pick<Reviews, 'validation'>, key: TenantKey): Promise<Validation> {
  return (await reviews.validation(key)) ?? noSuch('image validation');
}

function requireCode(verdict: ReviewAnswer, { validationType }: Validation): void {
  if (verdict.status === 'valid' || isCodeFor(validationType, verdict.invalidCode)) return;
  throw faultOf('invalidCode', `is not a code of validations of type ${validationType}`);
}

/** Checks what the schema cannot, when a validation is reviewed. */
export const reviewFaults = (reviews: Pick<Reviews, 'validation'>) =>
  tenantFaults(SoundVerdict, async ({ status, invalidCode }, { tenant, id = '' }) => {
    const validation = await reviews.validation({ tenant, id });
    if (!validation || status !== 'invalid' || invalidCode === undefined) return [];
    return [() => requireCode({ status, invalidCode }, validation)];
  });

function requireOpen({ status, revision, invalidReason }: Validation, expectedRevision: number | undefined): void {
  if (status !== 'pending') {
    const why = invalidReason === undefined ? '' : ` (${invalidReason})`;
    throw new Refusal(409, 'not-pending', `The validation is ${status}${why}, with revision ${revision}.`);
  }
  if (expectedRevision !== undefined && expectedRevision !== revision) {
    throw new Refusal(409, 'changed-meanwhile', `The validation is pending with revision ${revision}. Read it again.`);
  }
}

const alreadyDecided = (decision: ReviewDecision): Refusal =>
  new Refusal(409, 'already-decided', `The validation was decided at ${decision.at}: ${outcomeOf(decision)}.`);

const outcomeOf = (verdict: ReviewAnswer): string =>
  verdict.status === 'valid' ? 'valid' : `invalid with code ${verdict.invalidCode}`;

/** Equal decisions have equal texts. */
function textOf(verdict: ReviewAnswer): string {
  if (verdict.status === 'invalid') return JSON.stringify([verdict.invalidCode]);
  const { storeName, receiptDate, results } = verdict;
  const lines = results?.map(({ name, description, price, quantity, points }) => [
    name,
    description,
    price,
    quantity,
    points,
  ]);
  return JSON.stringify([storeName ?? null, receiptDate ?? null, lines ?? null]);
}

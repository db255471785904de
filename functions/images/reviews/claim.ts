import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import { type Claim, livingClaim, type ReviewItem } from '../validations/review.ts';
import { awaitsReview, type Validation } from '../validations/validation.ts';

/** A claim lasts long enough to look at a receipt, and an abandoned one ends soon. */
export const CLAIM_MILLIS = 10 * 60_000;

export interface Claims {
  /** Throws a refusal if there is no such validation. */
  validation(key: TenantKey): Promise<Validation>;
  /**
   * Stores the claim. Returns the item that prevents it: a decision, an ended review, or another person's claim that is
   * live `at` this time.
   */
  claim(key: TenantKey, claimed: { readonly claim: Claim; readonly at: string }): Promise<ReviewItem | undefined>;
  /** Removes the claim if it is this person's. */
  release(key: TenantKey, by: string): Promise<void>;
}

interface Claimant extends TenantKey {
  readonly by: string | undefined;
  readonly byName?: string | undefined;
  readonly now: number;
}

/** Reserves a validation for one reviewer. It does not stop the service from ending an expired review. */
export async function claimValidation(claims: Claims, { by, byName, now, ...key }: Claimant): Promise<Claim> {
  const claim: Claim = {
    by: claimantId(by),
    ...(byName !== undefined && { byName }),
    until: isoTime(now + CLAIM_MILLIS),
  };
  const validation = await claims.validation(key);
  if (!awaitsReview(validation)) throw needsNoReview(validation);
  const forbidding = await claims.claim(key, { claim, at: isoTime(now) });
  if (!forbidding) return claim;
  const { claim: other, decision } = forbidding;
  if (decision || forbidding.isOver || !other) throw needsNoReview(validation);
  throw claimed(other);
}

export async function releaseValidation(claims: Claims, { by, tenant, id }: Omit<Claimant, 'now'>): Promise<void> {
  await claims.validation({ tenant, id });
  await claims.release({ tenant, id }, claimantId(by));
}

/** Refuses a review while another person's claim is live. */
export function requireUnclaimed(
  review: ReviewItem | undefined,
  { by, now }: { readonly by: string | undefined; readonly now: number },
): void {
  const claim = livingClaim(review, now);
  if (claim && claim.by !== by) throw claimed(claim);
}

const claimed = ({ by, byName = by, until }: Claim): Refusal =>
  new Refusal(409, 'claimed', `${byName} is looking at the validation, until ${until}.`);

const needsNoReview = ({ status }: Validation): Refusal =>
  new Refusal(
    409,
    'needs-no-review',
    `The validation is ${status === 'pending' ? 'decided, or not examined yet' : status}.`,
  );

/** A token without a subject may decide, but its claim could not be distinguished from others. */
function claimantId(by: string | undefined): string {
  if (by !== undefined) return by;
  throw new Refusal(403, 'subject-required', 'A claim needs a token that names its person.');
}

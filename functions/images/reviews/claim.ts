import { Refusal } from '#shared/errors';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import { type Claim, livingClaim, type ReviewItem } from '../validations/review.ts';
import { awaitsReview, type Validation } from '../validations/validation.ts';

/** Long enough to look at a receipt; one that is left behind blocks its record for no longer. */
export const CLAIM_MILLIS = 10 * 60_000;

export interface Claims {
  /** Refused if there is no such record. */
  validation(key: TenantKey): Promise<Validation>;
  /** What forbids the claim: a decision, the end of the review, or another person's claim that lives `at` this time. */
  claim(key: TenantKey, claimed: { readonly claim: Claim; readonly at: string }): Promise<ReviewItem | undefined>;
  /** Takes away the claim of this person alone. */
  release(key: TenantKey, by: string): Promise<void>;
}

interface Claimant extends TenantKey {
  readonly by: string | undefined;
  readonly byName?: string | undefined;
  readonly now: number;
}

/**
 * Keeps others from deciding a record that a person looks at. It does not keep the machine from ending the review when
 * its time is over.
 */
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

/** Refuses a verdict while another person's claim lives. */
export function requireUnclaimed(
  review: ReviewItem | undefined,
  { by, now }: { readonly by: string | undefined; readonly now: number },
): void {
  const claim = livingClaim(review, now);
  if (claim && claim.by !== by) throw claimed(claim);
}

const claimed = ({ by, byName = by, until }: Claim): Refusal =>
  new Refusal(409, 'claimed', `${byName} is looking at the record, until ${until}.`);

const needsNoReview = ({ status }: Validation): Refusal =>
  new Refusal(
    409,
    'needs-no-review',
    `The record is ${status === 'pending' ? 'decided, or not examined yet' : status}.`,
  );

/** A token that names nobody may decide, but a claim of nobody would be everybody's. */
function claimantId(by: string | undefined): string {
  if (by !== undefined) return by;
  throw new Refusal(403, 'subject-required', 'A claim needs a token that names its person.');
}

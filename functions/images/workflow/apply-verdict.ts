import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import { codeFor } from '#shared/loyalty/invalid-codes';
import type { Campaign } from '../campaigns/campaign.ts';
import { decided, type Fingerprint, type Validation, type Verdict } from '../validations/validation.ts';
import { customerLimitCode } from '../verdict/early-rules.ts';
import { awaitedBy, doubtsLeft, settlement } from '../verdict/settlement.ts';
import { refusalFor } from '../verdict/verdict.ts';
import { type SettleDeps, settleReview } from './settle-reviews.ts';
import type { Cause } from './states.ts';

/** A reason why an award cannot be made. It determines the code of the validation. */
export type AwardConflict =
  /** The validation has changed and must be read again. */
  | 'validation'
  /** Another validation was awarded for the same image. */
  | 'bytes'
  | 'content'
  | 'customer-limit'
  | 'campaign-limit';

export interface AwardRequest {
  readonly before: Validation;
  readonly after: Validation;
  /** Undefined if the campaign was deleted; nothing is counted then. */
  readonly campaign: Campaign | undefined;
  /** Undefined if no fingerprint is to be reserved. */
  readonly fingerprint: Fingerprint | undefined;
}

export interface ApplyDeps extends SettleDeps {
  /** A person's verdict, if there is one. */
  readonly reviewed: (validation: Validation) => Promise<Verdict | undefined>;
  readonly campaign: (tenant: string, permalink: string) => Promise<Campaign | undefined>;
  /** False if the validation has changed since `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
  /** Makes the whole award or nothing. */
  readonly award: (award: AwardRequest) => Promise<AwardConflict | undefined>;
  /** The validations whose reviews wait for this one's verdict. */
  readonly waitingFor: (key: TenantKey) => Promise<readonly string[]>;
}

/**
 * Decides a validation exactly once, however often it is called, and settles the reviews that only waited for its
 * verdict.
 */
export async function applyVerdict(deps: ApplyDeps, key: TenantKey, cause: Cause, now: number): Promise<void> {
  const isAsked = await decide(deps, key, cause, now);
  // An earlier execution waits for a person. The end of the review resumes it, and it changes nothing.
  if (isAsked && cause.kind === 'judged') await deps.endReview(key, isoTime(now));
  for (const id of await deps.waitingFor(key)) await settleReview(deps, { tenant: key.tenant, id }, now);
}

/** Returns whether a review of the validation was requested. */
async function decide(deps: ApplyDeps, key: TenantKey, cause: Cause, now: number): Promise<boolean> {
  const conflicts = new Set<Exclude<AwardConflict, 'validation'>>();
  for (;;) {
    const before = await deps.validation(key);
    const isAsked = before?.review !== undefined;
    if (before?.status !== 'pending') return isAsked;
    const [reviewed, campaign] = await Promise.all([deps.reviewed(before), campaignOf(deps, before)]);
    // The reviewer has seen that the other purchase has the same time and total.
    if (reviewed) conflicts.delete('content');
    const [conflict] = conflicts;
    const verdict =
      conflict === undefined
        ? (reviewed ?? (await verdictOf(deps, cause, before)))
        : refusalOf(conflict, before, campaign);
    const after = decided(before, verdict, isoTime(now));
    if (after.status === 'invalid') {
      if (await deps.change(after, before)) return isAsked;
      continue;
    }
    const fingerprint = cause.kind === 'judged' ? cause.fingerprint : before.review?.fingerprint;
    const refused = await deps.award({ before, after, campaign, fingerprint: reviewed ? undefined : fingerprint });
    if (refused === undefined) return isAsked;
    if (refused !== 'validation') conflicts.add(refused);
  }
}

async function campaignOf({ campaign }: ApplyDeps, { tenant, campaignPermalink, campaignId }: Validation) {
  const current = await campaign(tenant, campaignPermalink);
  return current?.campaignId === campaignId ? current : undefined;
}

async function verdictOf({ statuses }: ApplyDeps, cause: Cause, { tenant, review }: Validation): Promise<Verdict> {
  if (cause.kind === 'judged') return cause.verdict;
  if (cause.kind === 'failed' || !review) return refusalFor(0);
  const others = await statuses(tenant, awaitedBy(review));
  // The review has expired, so the first finding decides.
  return settlement(review, others) ?? refusalFor(doubtsLeft(review, others)[0]?.code ?? 0);
}

function refusalOf(
  conflict: Exclude<AwardConflict, 'validation'>,
  { validationType }: Validation,
  campaign?: Campaign,
): Verdict {
  if (conflict === 'customer-limit') return refusalFor(customerLimitCode(campaign?.awardsPerCustomer ?? null));
  if (conflict === 'campaign-limit') return refusalFor(16);
  return refusalFor(codeFor('duplicate', validationType));
}

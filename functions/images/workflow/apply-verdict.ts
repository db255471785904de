import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import type { Campaign } from '../campaigns/campaign.ts';
import { decided, type Fingerprint, type Validation, type Verdict } from '../validations/validation.ts';
import { codeFor } from '../verdict/codes.ts';
import { customerLimitCode } from '../verdict/early-rules.ts';
import { refusalFor } from '../verdict/verdict.ts';
import type { Cause } from './states.ts';

/** Why an award cannot be made, and so which code the record gets. */
export type Obstacle =
  /** The record has changed: look again. */
  | 'record'
  /** Another record has been awarded for the same image. */
  | 'bytes'
  | 'content'
  | 'customer-limit'
  | 'campaign-limit';

export interface AwardToMake {
  readonly before: Validation;
  readonly after: Validation;
  /** Undefined if it was deleted: nothing is counted. */
  readonly campaign: Campaign | undefined;
  /** Undefined if it is not to be reserved. */
  readonly fingerprint: Fingerprint | undefined;
}

export interface ApplyDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  /** What a person has decided, if one has. */
  readonly reviewed: (validation: Validation) => Promise<Verdict | undefined>;
  readonly campaign: (tenant: string, permalink: string) => Promise<Campaign | undefined>;
  /** False if the record is no longer as it was `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
  /** All of it or nothing. */
  readonly award: (award: AwardToMake) => Promise<Obstacle | undefined>;
}

/** Decides a record once and for all, however often and for whatever causes it is called. */
export async function applyVerdict(deps: ApplyDeps, key: TenantKey, cause: Cause, now: number): Promise<void> {
  const met = new Set<Exclude<Obstacle, 'record'>>();
  for (;;) {
    const before = await deps.validation(key);
    if (before?.status !== 'pending') return;
    const [reviewed, campaign] = await Promise.all([deps.reviewed(before), campaignOf(deps, before)]);
    // A person has seen that another purchase has the same time and total.
    if (reviewed) met.delete('content');
    const [obstacle] = met;
    const verdict =
      obstacle === undefined ? (reviewed ?? verdictOf(cause, before)) : refusalOf(obstacle, before, campaign);
    const after = decided(before, verdict, isoTime(now));
    if (after.status === 'invalid') {
      if (await deps.change(after, before)) return;
      continue;
    }
    const fingerprint = cause.kind === 'judged' ? cause.fingerprint : before.review?.fingerprint;
    const refused = await deps.award({ before, after, campaign, fingerprint: reviewed ? undefined : fingerprint });
    if (refused === undefined) return;
    if (refused !== 'record') met.add(refused);
  }
}

async function campaignOf({ campaign }: ApplyDeps, { tenant, campaignPermalink, campaignId }: Validation) {
  const found = await campaign(tenant, campaignPermalink);
  return found?.campaignId === campaignId ? found : undefined;
}

function verdictOf(cause: Cause, { review }: Validation): Verdict {
  if (cause.kind === 'judged') return cause.verdict;
  // Nobody has looked in time: what the first doubt says, applies.
  const [doubt] = cause.kind === 'reviewed' ? (review?.doubts ?? []) : [];
  return refusalFor(doubt?.code ?? 0);
}

function refusalOf(
  obstacle: Exclude<Obstacle, 'record'>,
  { validationType }: Validation,
  campaign?: Campaign,
): Verdict {
  if (obstacle === 'customer-limit') return refusalFor(customerLimitCode(campaign?.awardsPerCustomer ?? null));
  if (obstacle === 'campaign-limit') return refusalFor(16);
  return refusalFor(codeFor('duplicate', validationType));
}

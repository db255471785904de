import type { TenantKey } from '#shared/ids';
import type { ResultLine } from './validation.ts';

/** A receipt line as a person states it, without an id. */
export type ReviewLine = Omit<ResultLine, 'id'>;

/** A person's answer about a validation. Members that the person left open are absent. */
export type ReviewAnswer =
  | {
      readonly status: 'valid';
      readonly storeName?: string | undefined;
      readonly receiptDate?: string | undefined;
      readonly results?: readonly ReviewLine[] | undefined;
    }
  | { readonly status: 'invalid'; readonly invalidCode: number };

/** A review answer, with its author and time. */
export type ReviewDecision = ReviewAnswer & {
  /** The subject of the token, or the id of the management key. */
  readonly by?: string | undefined;
  readonly at: string;
};

/** While a claim is live, nobody else may decide the validation. */
export interface Claim {
  /** The claimant, in the form of a decision's `by`. */
  readonly by: string;
  /** The name of the person in the token. */
  readonly byName?: string | undefined;
  readonly until: string;
}

/**
 * The item beside a validation that a person must decide or has decided. Its decision is stored once and never changes.
 */
export interface ReviewItem extends TenantKey {
  /**
   * The task token, with which anyone can resume the execution, so it is neither shown nor logged. Absent if the
   * decision came before the task.
   */
  readonly token?: string | undefined;
  readonly requestedAt: string;
  /** True if the validation was decided before anyone was asked. */
  readonly isOver?: boolean | undefined;
  readonly decision?: ReviewDecision | undefined;
  /** The last claim, which may have expired. */
  readonly claim?: Claim | undefined;
}

/** The live claim on a validation that awaits a review. */
export function livingClaim(review: ReviewItem | undefined, now: number): Claim | undefined {
  const { claim, decision, isOver } = review ?? {};
  if (decision || isOver || !claim || Date.parse(claim.until) <= now) return undefined;
  return claim;
}

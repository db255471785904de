import type { TenantKey } from '#shared/ids';
import type { ResultLine } from './validation.ts';

/** A line as a person states it, without an id. */
export type ReviewLine = Omit<ResultLine, 'id'>;

/** What a person decides a record to be. Absent is what the person did not state. */
export type ReviewAnswer =
  | {
      readonly status: 'valid';
      readonly storeName?: string | undefined;
      readonly receiptDate?: string | undefined;
      readonly results?: readonly ReviewLine[] | undefined;
    }
  | { readonly status: 'invalid'; readonly invalidCode: number };

/** A verdict, and who gave it when. */
export type ReviewDecision = ReviewAnswer & {
  /** The subject of the token, or the id of the management key. */
  readonly by?: string | undefined;
  readonly at: string;
};

/** A person is looking at the record, and until then nobody else may decide it. */
export interface Claim {
  /** As the `by` of a decision. */
  readonly by: string;
  /** What the token calls that person. */
  readonly byName?: string | undefined;
  readonly until: string;
}

/** Beside a record that a person is to decide, or has decided. The decision is stored once and never changes. */
export interface ReviewItem extends TenantKey {
  /**
   * With it anyone can end the waiting task: it is neither shown nor logged. Absent if the decision came before the task
   * began to wait.
   */
  readonly token?: string | undefined;
  readonly requestedAt: string;
  /** The record was decided before anyone was asked. */
  readonly isOver?: boolean | undefined;
  readonly decision?: ReviewDecision | undefined;
  /** The last one; it may be over. */
  readonly claim?: Claim | undefined;
}

/** The claim on a record that is still to be decided. */
export function livingClaim(review: ReviewItem | undefined, now: number): Claim | undefined {
  const { claim, decision, isOver } = review ?? {};
  if (decision || isOver || !claim || Date.parse(claim.until) <= now) return undefined;
  return claim;
}

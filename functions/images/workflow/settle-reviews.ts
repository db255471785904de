import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { Validation } from '../validations/validation.ts';
import { awaitedBy, type Statuses, settlement } from '../verdict/settlement.ts';

export interface SettleDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  readonly statuses: (tenant: string, ids: readonly string[]) => Promise<Statuses>;
  /** Ends a review that needs no person. The table's stream then resumes the execution. It is idempotent. */
  readonly endReview: (key: TenantKey, at: string) => Promise<void>;
}

/** Ends the review of a validation if other validations' verdicts decide it. */
export async function settleReview(deps: SettleDeps, key: TenantKey, now: number): Promise<void> {
  const validation = await deps.validation(key);
  const { status, review } = validation ?? {};
  if (status !== 'pending' || !review) return;
  const awaited = awaitedBy(review);
  if (awaited.length === 0) return;
  if (settlement(review, await deps.statuses(key.tenant, awaited))) await deps.endReview(key, isoTime(now));
}

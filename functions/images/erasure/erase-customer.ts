import type { TenantKey } from '#shared/ids';
import type { Validation } from '../validations/validation.ts';
import { eraseValidation, type ValidationErasureDeps } from './erase-validation.ts';

export interface CustomerErasureDeps extends ValidationErasureDeps {
  /** All records of the customer, by pages. */
  readonly recordsOf: (customer: TenantKey) => AsyncIterable<readonly Validation[]>;
  /** Removes how often the customer was awarded by the campaigns of these records. */
  readonly removeAwardCounts: (records: readonly Validation[]) => Promise<void>;
  /** Removes how often the customer has submitted, by day, and the marks by which a repeated call is recognised. */
  readonly removeSubmissionCounts: (customer: TenantKey) => Promise<void>;
}

/** Erases all records of a customer. It is idempotent, and may stop at any point. */
export async function eraseCustomer(deps: CustomerErasureDeps, customer: TenantKey): Promise<void> {
  for await (const records of deps.recordsOf(customer)) {
    // Only the records lead to the campaigns, so the counts go first.
    await deps.removeAwardCounts(records);
    for (const { tenant, id } of records) await eraseValidation(deps, { tenant, id, marks: [] });
  }
  await deps.removeSubmissionCounts(customer);
}

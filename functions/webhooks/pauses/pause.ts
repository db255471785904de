import { type AccountStatus, type StatusOf, SUSPENDED } from '#shared/auth/account-status';
import { Refusal } from '#shared/errors';

/**
 * Returns the moment since which the webhooks of a tenant go out, in milliseconds: 0 if they were never paused,
 * `PAUSED` while the account is suspended or its webhooks are switched off.
 */
export type DeliveringFrom = (tenant: string) => Promise<number>;

export const PAUSED = Number.POSITIVE_INFINITY;

export const deliveringFrom =
  (statusOf: StatusOf, now: () => number): DeliveringFrom =>
  async (tenant) => {
    const { active, apiIntegration, deliveriesResumedAt = 0 } = await statusOf(tenant, now());
    return active && apiIntegration ? deliveriesResumedAt : PAUSED;
  };

/** Refuses a call that would make a run while the tenant's webhooks are switched off. */
export function requireApiIntegration({ apiIntegration }: AccountStatus): void {
  if (apiIntegration) return;
  throw new Refusal(409, 'api-integration-off', 'Webhooks are switched off for this account (apiIntegration).');
}

/** Refuses a call that would post at once while the tenant's webhooks are paused. */
export function requireDelivering(status: AccountStatus): void {
  requireApiIntegration(status);
  if (!status.active) throw new Refusal(409, 'account-suspended', SUSPENDED);
}

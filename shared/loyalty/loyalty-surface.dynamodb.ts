import type { KeySecrets } from '#shared/auth/self-proving-key';
import { accountStatus } from '#shared/auth/tenant-items.dynamodb';
import type { Surface } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { knownApps } from './app-items.dynamodb.ts';
import { knownCustomers } from './customer-items.dynamodb.ts';
import { type LoyaltyCaller, loyaltyCallers } from './loyalty-caller.ts';
import { presentLoyaltyError } from './loyalty-error.ts';

/**
 * The interfaces `/priv/v1` and `/api/v1`, with their apps and customers in this table.
 * @param secretsOf `keySecrets` of the function: anonymous tokens are signed with them
 */
export function loyaltySurface(
  accountsTable: string,
  secretsOf: (now: number) => Promise<KeySecrets>,
): Surface<LoyaltyCaller> {
  const table = boundTable(accountsTable);
  const identify = loyaltyCallers({
    apps: knownApps(table),
    customers: knownCustomers(table),
    secretsOf,
    statusOf: accountStatus(table),
  });
  return { identify, present: presentLoyaltyError };
}

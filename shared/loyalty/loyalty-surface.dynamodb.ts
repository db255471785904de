import type { KeySecrets } from '#shared/auth/self-proving-key';
import { accountStatus } from '#shared/auth/tenant-items.dynamodb';
import type { Surface } from '#shared/http/http-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { knownApps } from './app-items.dynamodb.ts';
import { knownCustomers } from './customer-items.dynamodb.ts';
import { type LoyaltyCaller, loyaltyCallers } from './loyalty-caller.ts';
import { presentLoyaltyError } from './loyalty-error.ts';

/**
 * Sets up `/priv/v1` and `/api/v1` with the apps and customers of this table.
 * @param secretsOf the function's `keySecrets`, which sign anonymous tokens
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

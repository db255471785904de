import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import type { Surface } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { knownApps } from './app-items.dynamodb.ts';
import { knownCustomers } from './customer-items.dynamodb.ts';
import { type LoyaltyCaller, loyaltyCallers } from './loyalty-caller.ts';
import { presentLoyaltyError } from './loyalty-error.ts';

interface Resources {
  readonly accountsTable: string;
  /** Anonymous tokens are signed with it. */
  readonly keySecretsId: string;
}

/** The interfaces `/priv/v1` and `/api/v1`, with their apps and customers in this table. */
export function loyaltySurface({ accountsTable, keySecretsId }: Resources): Surface<LoyaltyCaller> {
  const table = boundTable(accountsTable);
  return {
    identify: loyaltyCallers({
      apps: knownApps(table),
      customers: knownCustomers(table),
      secretsOf: keySecrets(keySecretsId),
    }),
    present: presentLoyaltyError,
  };
}

import * as z from 'zod/mini';
import type { KeySecrets } from '#shared/auth/self-proving-key';
import { accountStatus } from '#shared/auth/tenant-items.dynamodb';
import { resource } from '#shared/env';
import { crossOriginHeaders } from '#shared/http/cross-origin';
import type { Surface } from '#shared/http/http-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { knownApps } from './app-items.dynamodb.ts';
import { knownCustomers } from './customer-items.dynamodb.ts';
import { deprecationHeaders } from './deprecation.ts';
import { type LoyaltyCaller, loyaltyCallers } from './loyalty-caller.ts';
import { presentLoyaltyError } from './loyalty-error.ts';

/** The bindings of every function behind the loyalty interfaces. */
export const loyaltyEnv = {
  ACCOUNTS_TABLE: resource,
  KEY_SECRETS: resource,
  /** The day from which the interface is deprecated. Empty: it is not. */
  LOYALTY_DEPRECATED_SINCE: z.string(),
};

interface LoyaltyEnv {
  readonly ACCOUNTS_TABLE: string;
  readonly LOYALTY_DEPRECATED_SINCE: string;
}

/**
 * Sets up `/priv/v1` and `/api/v1` with the apps and customers of this table.
 * @param secretsOf the function's `keySecrets`, which sign anonymous tokens
 */
export function loyaltySurface(
  { ACCOUNTS_TABLE, LOYALTY_DEPRECATED_SINCE }: LoyaltyEnv,
  secretsOf: (now: number) => Promise<KeySecrets>,
): Surface<LoyaltyCaller> {
  const table = boundTable(ACCOUNTS_TABLE);
  const statusOf = accountStatus(table);
  const deprecation = deprecationHeaders(LOYALTY_DEPRECATED_SINCE);
  return {
    identify: loyaltyCallers({ apps: knownApps(table), customers: knownCustomers(table), secretsOf, statusOf }),
    present: presentLoyaltyError,
    tenantOf: ({ app }) => app.tenant,
    async headersFor(event, identified) {
      // The secret of an app does not belong into a browser.
      if (!identified || !event.routeKey.includes(' /api/')) return deprecation;
      const { caller, now } = identified;
      return { ...deprecation, ...(await crossOriginHeaders(event, () => statusOf(caller.app.tenant, now))) };
    },
  };
}

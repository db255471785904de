import * as z from 'zod';
import { positiveInteger, resource } from '#shared/env';

/** Variables shared by several handlers of this domain. */
export const webhooksTable = { WEBHOOKS_TABLE: resource };
/** The accounts of tenants, which say whether their webhooks are paused. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
/** The retention of the delivery log. */
export const retention = { RETENTION_DAYS: positiveInteger };
export const lanes = { FAST_QUEUE: resource, SLOW_QUEUE: resource };
/** The slots of a configuration, and of one whose endpoint is silent. */
export const slotLimits = { ATTEMPTS_PER_CONFIGURATION: positiveInteger, ATTEMPTS_WHILE_SILENT: positiveInteger };
export const limitsIn = (env: { ATTEMPTS_PER_CONFIGURATION: number; ATTEMPTS_WHILE_SILENT: number }) => ({
  all: env.ATTEMPTS_PER_CONFIGURATION,
  whileSilent: env.ATTEMPTS_WHILE_SILENT,
});
/** The key that encrypts the secrets of configurations. */
export const secretsKey = { SECRETS_KEY: resource };
/** The private targets (`host:port,…`) that may be called: empty except in local runs. */
export const privateTargets = { PRIVATE_TARGETS: z.string() };
/** The variables of a delivery worker. */
export const worker = {
  ...accountsTable,
  ...webhooksTable,
  ...lanes,
  LANE: z.enum(['fast', 'slow']),
  ...slotLimits,
  ...secretsKey,
  ...retention,
  ...privateTargets,
  EXTRA_CA_FILE: z.string(),
};

import * as z from 'zod';
import { positiveInteger, resource } from '#shared/env';

/** The meter of every account, its credentials, its invoices and the answers stored for idempotency. */
export const conversionsTable = { CONVERSIONS_TABLE: resource };

/** The table of tenants, which belongs to the domain accounts. */
export const accountsTable = { ACCOUNTS_TABLE: resource };

/** The secrets that keys and tokens are verified with. */
export const keySecret = { KEY_SECRETS: resource };

/** The variables for announcing changes. `MAIL_FROM` is empty where no sender is configured. */
export const announcing = { ...accountsTable, ...conversionsTable, EVENT_BUS: resource, MAIL_FROM: z.string() };

/**
 * The variables of a metered request: the status of accounts, the meter with its timeouts, and the queue for usage that
 * could not be counted.
 */
export const metered = {
  ...accountsTable,
  ...conversionsTable,
  ...keySecret,
  LATE_USAGE_QUEUE: resource,
  METER_CALL_MILLIS: positiveInteger,
  METER_REQUEST_MILLIS: positiveInteger,
};

import { positiveInteger, resource } from '#shared/env';

/** The meter of every account, its credentials, invoices and kept answers. */
export const conversionsTable = { CONVERSIONS_TABLE: resource };

/** Tenants, as their own domain keeps them. */
export const accountsTable = { ACCOUNTS_TABLE: resource };

/** What keys and tokens are proven with. */
export const keySecret = { KEY_SECRETS: resource };

/** What a metered request needs: the meter with its time limits, and the queue for usage that it could not count. */
export const metered = {
  ...conversionsTable,
  ...keySecret,
  LATE_USAGE_QUEUE: resource,
  METER_CALL_MILLIS: positiveInteger,
  METER_REQUEST_MILLIS: positiveInteger,
};

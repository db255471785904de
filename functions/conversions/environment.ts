import * as z from 'zod/mini';
import { positiveInteger, resource } from '#shared/env';

/** The meter of every account, its credentials, invoices and kept answers. */
export const conversionsTable = { CONVERSIONS_TABLE: resource };

/** Tenants, as their own domain keeps them. */
export const accountsTable = { ACCOUNTS_TABLE: resource };

/** What keys and tokens are proven with. */
export const keySecret = { KEY_SECRETS: resource };

/** What telling of changes needs. `MAIL_FROM` is blank where no sender is configured. */
export const announcing = { ...accountsTable, ...conversionsTable, EVENT_BUS: resource, MAIL_FROM: z.string() };

/** What a metered request needs: the status of accounts, the meter with its time limits, and the queue for usage that it could not count. */
export const metered = {
  ...accountsTable,
  ...conversionsTable,
  ...keySecret,
  LATE_USAGE_QUEUE: resource,
  METER_CALL_MILLIS: positiveInteger,
  METER_REQUEST_MILLIS: positiveInteger,
};

import { dataPlans } from '#shared/auth/data-plan';
import { positiveInteger, resource } from '#shared/env';

/** Variables shared by several handlers of this domain. */
export const recordsTable = { RECORDS_TABLE: resource };
/** The table of another domain: data tokens, with the records that each may still download. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
export const indexBucket = { INDEX_BUCKET: resource };
export const cacheBytes = { CACHE_BYTES: positiveInteger };

/** The variables of functions that search and start downloads. */
export const searching = {
  ...accountsTable,
  ...dataPlans,
  ...recordsTable,
  ...indexBucket,
  ...cacheBytes,
  DOWNLOADS_QUEUE: resource,
  PREVIEW_RECORDS_PER_DAY: positiveInteger,
};

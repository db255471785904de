import { dataPlans } from '#shared/auth/data-plan';
import { positiveInteger, resource } from '#shared/env';

/** Variables shared by several handlers of this domain. */
export const recordsTable = { RECORDS_TABLE: resource };
/** Belongs to another domain: the tokens, with the records that each may still download. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
export const indexBucket = { INDEX_BUCKET: resource };
export const cacheBytes = { CACHE_BYTES: positiveInteger };

/** Of what searches and starts downloads. */
export const searching = {
  ...accountsTable,
  ...dataPlans,
  ...recordsTable,
  ...indexBucket,
  ...cacheBytes,
  DOWNLOADS_QUEUE: resource,
  PREVIEW_RECORDS_PER_DAY: positiveInteger,
};

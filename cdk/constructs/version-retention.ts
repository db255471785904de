/** The number of days for which a replaced or deleted object can be restored, in buckets that keep versions. */
export const VERSION_RETENTION_DAYS = 90;

/** Prefix of the partition keys under which the quotas of tenants are counted. */
export const QUOTA = 'QUOTA#';
export type QuotaKey = typeof QUOTA;

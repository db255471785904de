/** How the partition key of a tenant's item in the accounts table begins. */
export const ACCOUNT = 'ACCOUNT#';
export type AccountKey = typeof ACCOUNT;

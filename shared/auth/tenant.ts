/** The prefix of the partition key of a tenant's item in the accounts table. */
export const ACCOUNT = 'ACCOUNT#';
/** The list of all tenants in the index `Listing`. */
export const ACCOUNTS = 'ACCOUNTS';
export type AccountKey = typeof ACCOUNT;

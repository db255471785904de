/** The prefix of the partition key of a tenant's item in the accounts table. */
export const ACCOUNT = 'ACCOUNT#';
export type AccountKey = typeof ACCOUNT;

import type { DataTokenKey } from '#shared/auth/data-token';
import type { ManagementKeyKey } from '#shared/auth/management-key';
import type { AccountKey } from '#shared/auth/tenant';

/** Lists of the index `Listing`. */
export const ACCOUNTS = 'ACCOUNTS';
export const DATA_TOKENS = 'DATA_TOKENS#';
export const MANAGEMENT_KEYS = 'MANAGEMENT_KEYS#';

/** Prefixes of partition keys in the accounts table, which the construct grants by. */
export type AccountsKey = AccountKey | DataTokenKey | ManagementKeyKey;
export type AccountsList = typeof ACCOUNTS | typeof DATA_TOKENS | typeof MANAGEMENT_KEYS;

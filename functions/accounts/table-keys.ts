import type { DataTokenKey } from '#shared/auth/data-token';
import type { ManagementKeyKey } from '#shared/auth/management-key';

/**
 * Prefixes of partition keys in the accounts table. Adapters build keys from them, and the construct grants by them.
 */
export const ACCOUNT = 'ACCOUNT#';
/** Lists of the index `Listing`. */
export const ACCOUNTS = 'ACCOUNTS';
export const DATA_TOKENS = 'DATA_TOKENS#';
export const MANAGEMENT_KEYS = 'MANAGEMENT_KEYS#';

export type AccountsKey = typeof ACCOUNT | DataTokenKey | ManagementKeyKey;
export type AccountsList = typeof ACCOUNTS | typeof DATA_TOKENS | typeof MANAGEMENT_KEYS;

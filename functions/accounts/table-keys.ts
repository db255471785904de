import type { DataTokenKey } from '#shared/auth/data-token';

/**
 * Prefixes of partition keys in the accounts table. Adapters build keys from them, and the construct grants by them.
 */
export const ACCOUNT = 'ACCOUNT#';
/** Lists of the index `Listing`. */
export const ACCOUNTS = 'ACCOUNTS';
export const DATA_TOKENS = 'DATA_TOKENS#';

export type AccountsKey = typeof ACCOUNT | DataTokenKey;
export type AccountsList = typeof ACCOUNTS | typeof DATA_TOKENS;

import type { DataTokenKey } from '#shared/auth/data-token';
import type { AccountKey } from '#shared/auth/tenant';

/** Lists of the index `Listing`. */
export const ACCOUNTS = 'ACCOUNTS';
export const DATA_TOKENS = 'DATA_TOKENS#';

/** Prefixes of partition keys in the accounts table, which the construct grants by. */
export type AccountsKey = AccountKey | DataTokenKey;
export type AccountsList = typeof ACCOUNTS | typeof DATA_TOKENS;

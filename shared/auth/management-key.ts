import type { Scope } from './management-key-scope.ts';

/** The prefix of the partition key of a management key's item in the accounts table. */
export const MANAGEMENT_KEY = 'MANAGEMENT_KEY#';
/** The list of a tenant's management keys in the index `Listing`. */
export const MANAGEMENT_KEYS = 'MANAGEMENT_KEYS#';
export type ManagementKeyKey = typeof MANAGEMENT_KEY;
/** The prefix of the partition keys of the buckets that limit calls of tenants. */
export const MANAGEMENT_RATE = 'MANAGEMENT_RATE#';
export type ManagementRateKey = typeof MANAGEMENT_RATE;

/** The prefix of management keys: `mk_<tenant>_<id>_…`. */
export const MANAGEMENT_KEY_KIND = 'mk';

/** The stored form of a management key. */
export interface KnownManagementKey {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The hash of the whole key. */
  readonly hash: string;
  readonly revokedAt?: string | undefined;
  /** The time from which the key is refused. */
  readonly expiresAt?: string | undefined;
  /** The last recorded use; see `needsLastUseUpdate`. */
  readonly lastUsedAt?: string | undefined;
}

const LAST_USE_WRITE_MILLIS = 3_600_000;

/**
 * Returns whether a use must be recorded: at most once an hour, so that a key in steady use does not cost a write per
 * call.
 */
export const needsLastUseUpdate = ({ lastUsedAt }: Pick<KnownManagementKey, 'lastUsedAt'>, now: number): boolean =>
  lastUsedAt === undefined || now - Date.parse(lastUsedAt) >= LAST_USE_WRITE_MILLIS;

/** Looks up management keys. */
export interface KnownManagementKeys {
  byId(id: string): Promise<KnownManagementKey | undefined>;
  /** Records a use of a key, unless another use was recorded since the key was read. */
  recordUse(id: string, key: Pick<KnownManagementKey, 'lastUsedAt'>, now: number): Promise<void>;
}
